/** Answers content scripts with nothing that is not on their page already. */

import type { ContentSettings } from '../messages/content.ts';
import { ok } from '../messages/result.ts';
import type { Settings } from '../settings.ts';
import { textDirection, textsStartingWith } from '../text.ts';
import { hangUp } from './calls/hang-up.ts';
import { placeCall } from './calls/place-call.ts';
import type { ContentHandlers } from './message-router.ts';
import { chosenReadings } from './numbers/chosen-readings.ts';
import { findNumbers, hintsOf } from './numbers/find-numbers.ts';
import { resolveNumber, toJudgedNumber } from './numbers/resolve-number.ts';
import { readSettings } from './settings/settings-store.ts';
import { hostOf, numbersExcludedOn } from './sites/site-rules.ts';
import { openCallPage } from './ui/call-page.ts';
import { offerInMenu, withdrawFromMenu } from './ui/menus.ts';
import { notifyPages } from './ui/show-calls.ts';

const isLink = (text: string) => /^(tel|callto|sips?):/i.test(text);

export const contentHandlers: ContentHandlers = {
  'content.find': async ({ texts, labels, lang }, { url }) => {
    const found = await findNumbers(texts, hintsOf(url, lang), labels);
    const excluded = numbersExcludedOn((await readSettings()).settings.sites, hostOf(url));
    return ok(found.map((numbers) => numbers.filter(({ number }) => !excluded.has(number.display))));
  },

  'content.judgeLink': async ({ href, lang }, { url }) => {
    if (!isLink(href)) return ok(null);
    const { settings } = await readSettings();
    const source = { kind: 'input', input: href, hints: hintsOf(url, lang) } as const;
    const resolved = resolveNumber(source, settings, { chosen: await chosenReadings() });
    const isOffered =
      resolved && !numbersExcludedOn(settings.sites, hostOf(url)).has(resolved.number.display);
    return ok(isOffered ? toJudgedNumber(resolved) : null);
  },

  'content.dial': async (
    { click, text, contextWords, whole, near, lang, shown, confirmed },
    { tabId, frameId, url },
  ) => {
    const placed = await placeCall({
      id: click,
      source: isLink(text)
        ? { kind: 'input', input: text, hints: hintsOf(url, lang) }
        : {
            kind: 'text',
            text,
            contextWords,
            hints: hintsOf(url, lang, near),
            ...(whole !== undefined && { whole }),
          },
      shown,
      confirmed,
      tab: { id: tabId, frameId },
    });
    if (!placed.ok && placed.error.code === 'confirmElsewhere') await openCallPage(shown.display);
    return placed;
  },

  'content.hangUp': ({ id }, { tabId, frameId }) => hangUp(id, { id: tabId, frameId }),

  'content.pointAt': async ({ number }, sender) => {
    await offerInMenu(number, sender);
    return ok(null);
  },

  'content.numbersChanged': async () => {
    notifyPages('tab');
    return ok(null);
  },

  'content.hello': async (_, sender) => {
    void withdrawFromMenu(sender);
    return ok(contentSettings((await readSettings()).settings));
  },
};

/** What a content script needs for its appearance: no secret, no history, no address. */
export function contentSettings({ appearance }: Settings): ContentSettings {
  return {
    underline: appearance.underline,
    colorScheme: appearance.theme === 'auto' ? 'light dark' : appearance.theme,
    tipDelayMs: appearance.tipDelayMs,
    texts: { ...textsStartingWith('content_'), ...textsStartingWith('error_') },
    direction: textDirection(),
  };
}
