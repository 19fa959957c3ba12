/**
 * Makes the dialling request travel on a connection of its own. A browser that loses a reused connection before the answer
 * sends the request again by itself, POST too (seen in Chromium 156 and Firefox 153: two `/call`s for one fetch), and fetch has
 * no option for a new connection. `Connection: close`, set on our own `/call` requests by a session rule, has that effect: the server
 * closes after its answer, so there never is a connection to reuse (Law 1).
 */
import browser from 'webextension-polyfill';

/**
 * The rule of each address, set once: setting it again costs a click a millisecond. The browser keeps a session rule for longer than a
 * run of the background, and nothing else changes ours.
 */
const rules = new Map<string, Promise<void>>();
let lastId = 0;

/** @param url of the request that is about to be sent. @throws where the browser refuses the rule; then nothing may be sent. */
export function forbidConnectionReuse(url: string): Promise<void> {
  const { origin, pathname } = new URL(url);
  const address = `${origin}${pathname}`;
  const known = rules.get(address);
  if (known) return known;
  const rule = setRule(address, ++lastId);
  rules.set(address, rule);
  // Asked for again at the next click.
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
