/** What a tab's page shows, for popup and side panel: its numbers, and extensions that the settings lack. */
import browser from 'webextension-polyfill';
import { z } from 'zod/mini';
import { extensionWords } from '../../../shared/numbers/plan/extension-words.ts';
import { maxListedNumbers } from '../../messages/fields.ts';
import { NumberInList, type NumberOnPage } from '../../messages/views.ts';
import { recordOfNumber } from '../calls/record-of-number.ts';
import { inFrames } from '../sites/in-frames.ts';
import { hostOf } from '../sites/site-rules.ts';
import { judgeFound, topLevelDomainOf } from './find-numbers.ts';
import { nameAmong } from './name-among.ts';

const ListedNumbers = z.array(NumberInList);

/**
 * The first numbers of all frames of the tab, each once, judged in the same way as marked numbers. Each frame is asked,
 * since `tabs.sendMessage` to a tab takes only the first reply.
 * @returns null if not one frame can be read: a PDF file, an error page, the browser's store.
 */
export async function numbersOnPage(tabId: number): Promise<NumberOnPage[] | null> {
  // Frames without an address of their own (about:blank, srcdoc) have the origin of their maker.
  const frames = await inFrames(tabId, () => [document.contentType, location.href, origin]);
  const page = (await browser.tabs.get(tabId)).url;
  const lists = await Promise.all(
    (frames ?? [{ frameId: 0 }]).map(async ({ frameId, result: [contentType, ...addresses] = [] }) => {
      // Chromium's PDF viewer has our script, but the script does not see the file (156, 2026-11).
      if (contentType === 'application/pdf') return undefined;
      try {
        const list: unknown = await browser.tabs.sendMessage(tabId, { type: 'background.list' }, { frameId });
        const frame = addresses.find((address) => hostOf(address) !== '') ?? '';
        const host = hostOf(frame);
        // A frame may return more, as it reads to the end of a batch.
        const numbers = ListedNumbers.parse(list).slice(0, maxListedNumbers);
        const judged = numbers.map(async ({ source, context, links }) => {
          const number = await judgeFound(source, topLevelDomainOf(host));
          const { record } = await recordOfNumber({ address: page ?? frame, frame, links });
          const name = nameAmong(context);
          return number
            ? [{ source, host, context: name ?? firstLineOf(context), name, number, record }]
            : [];
        });
        return (await Promise.all(judged)).flat();
      } catch {
        return undefined; // No content script in that frame, or not ours.
      }
    }),
  );
  const read = lists.filter((list) => list !== undefined);
  if (read.length === 0) return null;
  const once = new Map<string, NumberOnPage>();
  for (const each of read.flat()) if (!once.has(each.number.to)) once.set(each.number.to, each);
  return [...once.values()].slice(0, maxListedNumbers);
}

const firstLineOf = (text: string): string => text.split('\n').find(Boolean) ?? '';

/** An internal extension as a frame of the tab names it: `Ramal 2201`. Null if it is not named. */
export async function extensionOnPage(tabId: number): Promise<string | null> {
  const frames = await inFrames(
    tabId,
    // biome-ignore lint/performance/useDomNodeTextContent: as laid out: cells apart, without hidden text.
    (pattern) => new RegExp(pattern, 'iu').exec(document.body?.innerText ?? '')?.[0],
    [extensionPattern],
  );
  return frames?.find(({ result }) => typeof result === 'string')?.result ?? null;
}

/** Words that also mean an attachment, a job or a programme. */
const ambiguousWords = new Set('anexo int poste app tst nst doorkies'.split(' '));

/** Finds an internal extension. Not an extension behind a number: that is dialled after the number answers. */
export const extensionPattern = [
  String.raw`(?<!\d[\s,;()./-]{0,5})(?<![\p{L}\p{N}])`,
  `(?:${extensionWords.filter((word) => word.length > 2 && !ambiguousWords.has(word)).join('|')})`,
  String.raw`[ .:#º°]{1,3}\d{3,5}(?![\p{L}\p{N}]|[-./ ]\d)`,
].join('');
