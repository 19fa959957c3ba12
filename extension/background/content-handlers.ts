/**
 * Answers content scripts. They get little that is not on their page: appearance, states of calls, and the tip's words
 * and record.
 */

import { browserName } from '../browser-name.ts';
import type { ContentSettings, TipFacts } from '../messages/content.ts';
import { ok, refuse } from '../messages/result.ts';
import type { KnownNumber } from '../messages/views.ts';
import { recordLabel } from '../record-label.ts';
import { type TextKey, text, textDirection, textsStartingWith } from '../text.ts';
import { hangUp } from './calls/hang-up.ts';
import { placeCall } from './calls/place-call.ts';
import { recordOfNumber } from './calls/record-of-number.ts';
import { teamRules } from './calls/team-rules.ts';
import type { ContentHandlers } from './message-router.ts';
import { findNumbers, judgeFound, topLevelDomainOf } from './numbers/find-numbers.ts';
import { knownNumbers, nameWhileAsking, numberFromDisplay } from './numbers/known-numbers.ts';
import { nameAmong } from './numbers/name-among.ts';
import { mayAskAbout } from './numbers/tip-limit.ts';
import { readSettings } from './settings/settings-store.ts';
import { hostOf, numbersExcludedOn } from './sites/site-rules.ts';
import { openCallPage } from './ui/call-page.ts';
import { hasShortcut } from './ui/commands.ts';
import { offerInMenu, withdrawFromMenu } from './ui/menus.ts';
import { notifyPages, showOpenCalls } from './ui/show-calls.ts';

function tipFacts({ name, refusal, lease, lastTalk }: KnownNumber): TipFacts {
  return {
    words: (refusal ? [refusal, name] : [name, lease ?? lastTalk]).filter(Boolean).join(' · '),
    ...(refusal && { isRefused: true }),
  };
}

export const contentHandlers: ContentHandlers = {
  'content.find': async ({ texts, labels, lang }, { url }) => {
    const found = await findNumbers(texts, { topLevelDomain: topLevelDomainOf(url), lang }, labels);
    const excluded = numbersExcludedOn((await readSettings()).settings.sites, hostOf(url));
    return ok(found.map((numbers) => numbers.filter(({ number }) => !excluded.has(number.display))));
  },

  'content.judgeLink': async ({ source }, { url }) => {
    const number = await judgeFound(source, topLevelDomainOf(url));
    const excluded = numbersExcludedOn((await readSettings()).settings.sites, hostOf(url));
    return ok(number && !excluded.has(number.display) ? number : null);
  },

  'content.tip': async ({ display, isNameShown }, { tabId }) => {
    if (!mayAskAbout(numberFromDisplay(display), tabId)) return ok({ words: '' });
    const early = isNameShown ? undefined : nameWhileAsking(display);
    if (early) return ok({ ...tipFacts(early), isPartial: true });
    const [known = {}] = await knownNumbers([display]);
    return ok(tipFacts(known));
  },

  'content.record': async ({ links }, { url, recordAddress }) => {
    const { record, isFromPage } = await recordOfNumber({ address: recordAddress, frame: url, links });
    const label = record ? recordLabel(record) : '';
    return ok({ record: record ?? null, label: isFromPage ? text('entry_fromPage', label) : label });
  },

  'content.dial': async (request, { tabId, frameId, url, recordAddress }) => {
    const { click, source, links, shown, confirmed, isAskedElsewhere } = request;
    const name = nameAmong(request.name);
    const { record } = await recordOfNumber({ address: recordAddress, frame: url, links });
    const askElsewhere = () =>
      openCallPage(shown.display, { onPage: { source, host: hostOf(url) }, name, record });
    if (isAskedElsewhere) {
      await askElsewhere();
      return refuse('confirmElsewhere');
    }
    const placed = await placeCall({
      id: click,
      source: { kind: 'page', number: source, topLevelDomain: topLevelDomainOf(url) },
      name,
      shown,
      confirmed,
      tab: { id: tabId, frameId },
      record,
      shownRecord: request.record,
      isRecordUnseen: record !== undefined && request.record === undefined,
      // Firefox (153) does not report whether the page covers a question in the page.
      isGuardedElsewhere: browserName === 'firefox',
    });
    if (!placed.ok && placed.error.code === 'confirmElsewhere') await askElsewhere();
    return placed;
  },

  'content.hangUp': ({ id }, { tabId, frameId }) => hangUp(id, { id: tabId, frameId }),

  'content.openPanel': async () => ok(null),

  'content.pointAt': async (pointed, sender) => {
    await offerInMenu(pointed, sender);
    return ok(null);
  },

  'content.numbersChanged': async () => {
    notifyPages('tab');
    return ok(null);
  },

  'content.hello': async (_, sender) => {
    void withdrawFromMenu(sender);
    void showOpenCalls(sender);
    return ok(await contentSettings());
  },
};

/** What a content script needs for its appearance: no secret, no history, no address. */
export async function contentSettings(): Promise<ContentSettings> {
  const { appearance } = (await readSettings()).settings;
  return {
    underline: appearance.underline,
    colorScheme: appearance.theme === 'auto' ? 'light dark' : appearance.theme,
    tipDelayMs: appearance.tipDelayMs,
    texts: { ...textsStartingWith('content_'), ...sharedTexts(), ...textsStartingWith('error_') },
    direction: textDirection(),
    hasTeamLine: (await teamRules()) !== undefined,
    offersSkipLink: !(await hasShortcut('next-number')),
  };
}

/** Texts of the overlay that our own pages use, too. `$1` is kept for the number. */
function sharedTexts(): Record<string, string> {
  const keys: Record<string, TextKey> = {
    content_call: 'page_callNumber',
    content_calling: 'state_initiating',
    content_cancel: 'page_cancel',
    content_close: 'page_close',
    content_confirm: 'page_confirmQuestion',
    content_hangUp: 'page_hangUp',
    content_wrapUp: 'wrapUp_title',
    content_yes: 'popup_call',
  };
  return Object.fromEntries(Object.entries(keys).map(([key, shared]) => [key, text(shared, '$1')]));
}
