/** Finds and judges the numbers in a content script's batch, cached by text: pages repeat their numbers and re-render. */

import { isPhoneWord } from '../../../shared/numbers/find/context.ts';
import { scan } from '../../../shared/numbers/find/scan.ts';
import type { Candidate, PageHints } from '../../../shared/numbers/number.ts';
import type { FoundNumber, JudgedNumber } from '../../messages.ts';
import { onSettingsChanged, readSettings } from '../settings/settings-store.ts';
import { resolveNumber, toJudgedNumber } from './resolve-number.ts';

const maxCached = 5000;
const cache = new Map<string, JudgedNumber | null>();
onSettingsChanged(() => cache.clear());

/**
 * Scans each text and judges what is found.
 * @param labels for each text the words that name it elsewhere on the page.
 * @returns one entry per text, in order, each ordered and without overlaps.
 */
export async function findNumbers(
  texts: readonly string[],
  hints: PageHints,
  labels: readonly string[] = [],
): Promise<FoundNumber[][]> {
  const candidates = texts.map((text, index) => scanLabelled(text, labels[index] ?? ''));
  const judged = (await judgeBatch(candidates.flat(), hints)).values();
  return candidates.map((found) =>
    found.flatMap(({ start, end, contextWords, whole }) => {
      const number = judged.next().value;
      return number ? [{ start, end, contextWords, number, ...(whole !== undefined && { whole }) }] : [];
    }),
  );
}

/** A label counts as the words before the text, of which a phone word decides; the text's own words are nearer. */
function scanLabelled(text: string, label: string): Candidate[] {
  if (label === '') return scan(text);
  const before = `${label.split(/[^\p{L}]+/u).find(isPhoneWord) ?? label}: `;
  return scan(before + text)
    .filter(({ start }) => start >= before.length)
    .map((found) => ({ ...found, start: found.start - before.length, end: found.end - before.length }));
}

/** @returns one entry per candidate, in order; null: not a number. */
async function judgeBatch(
  candidates: readonly Pick<Candidate, 'text' | 'contextWords' | 'whole'>[],
  hints: PageHints,
): Promise<(JudgedNumber | null)[]> {
  const { settings } = await readSettings();
  return candidates.map((candidate) => {
    const key = `${hints.lang ?? ''}\n${hints.topLevelDomain ?? ''}\n${candidate.contextWords}\n${candidate.text}\n${candidate.whole ?? ''}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    // Office hours and the count of calls are the click's business; they must not stay in a cache.
    const resolved = resolveNumber({ kind: 'text', hints, ...candidate }, settings);
    const judged = resolved ? toJudgedNumber(resolved) : null;
    if (resolved && isMomentary(resolved.decision.reason)) return judged;
    if (cache.size >= maxCached) cache.delete(cache.keys().next().value!);
    cache.set(key, judged);
    return judged;
  });
}

function isMomentary(reason: string): boolean {
  return reason === 'officeHours' || reason === 'tooManyCalls';
}

/** The hints that a page's address and language give of the numbers on it. */
export function hintsOf(url: string | undefined, lang: string | undefined): PageHints {
  const host = url !== undefined && URL.canParse(url) ? new URL(url).hostname : '';
  const topLevelDomain = /\.([a-z]{2,})$/i.exec(host)?.[1]?.toLowerCase();
  return {
    ...(lang !== undefined && { lang }),
    ...(topLevelDomain !== undefined && { topLevelDomain }),
  };
}
