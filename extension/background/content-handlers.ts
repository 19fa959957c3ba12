/** What content scripts may ask, answered with nothing that is not on their page already. */
import { ok, type Result, refuse } from '../messages.ts';
import { placeCall } from './calls/place-call.ts';
import type { ContentHandlers } from './message-router.ts';
import { findNumbers, hintsOf } from './numbers/find-numbers.ts';
import { setFound } from './numbers/numbers-per-tab.ts';
import { judgedNumber, type Understood, understandInput, understandText } from './numbers/resolve-number.ts';
import { contentSettings } from './settings/content-settings.ts';
import { readSettings } from './settings/settings-store.ts';

const isLink = (text: string) => /^(tel|callto|sips?):/i.test(text);

export const contentHandlers: ContentHandlers = {
  'content.find': async ({ texts, lang }, sender) => ok(await findNumbers(texts, hintsOf(sender.url, lang))),

  'content.judgeLink': async ({ href }) => {
    if (!isLink(href)) return ok(null);
    const understood = understandInput(href, (await readSettings()).settings);
    return ok(understood ? judgedNumber(understood) : null);
  },

  'content.dial': async (message, sender) =>
    placeCall({
      id: message.click,
      confirmed: message.confirmed === true,
      tab: { id: sender.tabId, frameId: sender.frameId },
      understand: (settings, recentCalls): Result<Understood> => {
        const understood = isLink(message.text)
          ? understandInput(message.text, settings, recentCalls)
          : understandText(message, settings, hintsOf(sender.url, message.lang), recentCalls);
        if (!understood) return refuse('notANumber');
        // What the agent saw is what is dialled, or nothing.
        if (understood.number.display !== message.shown) return refuse('numberChanged');
        return ok(understood);
      },
    }),

  'content.found': async ({ count }, sender) => {
    setFound(sender.tabId, sender.frameId, count);
    return ok(null);
  },

  'content.hello': async () => ok(contentSettings((await readSettings()).settings)),
};
