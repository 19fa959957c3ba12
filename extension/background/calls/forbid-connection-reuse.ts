/**
 * Makes the dialling request travel on a connection of its own (Law 1). A browser that loses a reused connection
 * before the answer sends the request again, also a POST: two `/call`s for one fetch (Chromium 156, Firefox 153).
 * Fetch has no option for a new connection. So a session rule sets `Connection: close` on our own `/call` requests:
 * the server closes after its answer, and no connection is left to reuse.
 */
import browser from 'webextension-polyfill';

/**
 * The rules that this background has set, by address. Setting a rule again would cost a millisecond at each click. The
 * browser keeps the rules after the background has stopped.
 */
const rules = new Map<string, Promise<void>>();
let lastId = 0;

/** @param url of the next request. @throws if the browser refuses the rule; then nothing may be sent. */
export function forbidConnectionReuse(url: string): Promise<void> {
  const { origin, pathname } = new URL(url);
  const address = `${origin}${pathname}`;
  const known = rules.get(address);
  if (known) return known;
  const rule = setRule(address, ++lastId);
  rules.set(address, rule);
  // If the browser refuses the rule, the next click tries again.
  rule.catch(() => rules.delete(address));
  return rule;
}

async function setRule(address: string, id: number): Promise<void> {
  const escaped = address.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  await chrome.declarativeNetRequest.updateSessionRules({
    removeRuleIds: [id],
    addRules: [
      {
        id,
        action: {
          type: 'modifyHeaders' as chrome.declarativeNetRequest.RuleActionType,
          requestHeaders: [
            {
              header: 'connection',
              operation: 'set' as chrome.declarativeNetRequest.HeaderOperation,
              value: 'close',
            },
          ],
        },
        condition: {
          regexFilter: `^${escaped}(\\?|$)`,
          initiatorDomains: [new URL(browser.runtime.getURL('')).host],
          resourceTypes: [
            'xmlhttprequest' as chrome.declarativeNetRequest.ResourceType,
            'other' as chrome.declarativeNetRequest.ResourceType,
          ],
        },
      },
    ],
  });
}
