/** Finds and judges the numbers in a content script's batch, cached by text: pages repeat their numbers and re-render. */

import { isSupportedCountry } from 'libphonenumber-js/max';
import type { Candidate, PageHints } from '../../../shared/numbers/number.ts';
import { countryNear, countryOfNumbers } from '../../../shared/numbers/reading/page-country.ts';
import { isPhoneWord } from '../../../shared/numbers/text/context.ts';
import { scan } from '../../../shared/numbers/text/scan.ts';
import type { FoundNumber } from '../../messages/content.ts';
import type { JudgedNumber } from '../../messages/views.ts';
import type { Settings } from '../../settings.ts';
import { onSettingsChanged, readSettings } from '../settings/settings-store.ts';
import { chosenReadings } from './chosen-readings.ts';
import { type ChosenReadings, resolveNumber, toJudgedNumber } from './resolve-number.ts';

const maxCached = 5000;
const cache = new Map<string, JudgedNumber | null>();
/** The answers with which the cache was filled. */
let chosenOfCache: ChosenReadings | undefined;
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
  const [{ settings }, chosen] = await Promise.all([readSettings(), chosenReadings()]);
  if (chosen !== chosenOfCache) cache.clear();
  chosenOfCache = chosen;
  return texts.map((text, index) => {
    const candidates = scanLabelled(text, labels[index] ?? '');
    return candidates.flatMap((candidate) => {
      const found = judgeInText(text, candidate, candidates, hints, settings, chosen);
      if (!found.number) return [];
      const { start, end, contextWords, whole } = candidate;
      return [{ start, end, contextWords, ...(whole !== undefined && { whole }), ...found } as FoundNumber];
    });
  });
}

/** Reads the words around a number only where its country is doubtful without them. */
function judgeInText(
  text: string,
  candidate: Candidate,
  all: readonly Candidate[],
  hints: PageHints,
  settings: Settings,
  chosen: ChosenReadings,
): { number: JudgedNumber | null; near?: string } {
  const number = judgeCached(candidate, hints, settings, chosen);
  if (/^\D*\+/.test(candidate.text)) return { number };
  const others = all.filter((other) => other !== candidate);
  const near = number && !number.isDoubtful ? countryOfNumbers(others) : countryNear(text, candidate, others);
  if (near === undefined || near === number?.country) return { number };
  return { number: judgeCached(candidate, { ...hints, near }, settings, chosen), near };
}

/** A label counts as the words before the text, of which a phone word decides; the text's own words are nearer. */
function scanLabelled(text: string, label: string): Candidate[] {
  if (label === '') return scan(text);
  const before = `${label.split(/[^\p{L}]+/u).find(isPhoneWord) ?? label}: `;
  return scan(before + text)
    .filter(({ start }) => start >= before.length)
    .map((found) => ({ ...found, start: found.start - before.length, end: found.end - before.length }));
}

/** @returns null: not a number. */
function judgeCached(
  candidate: Pick<Candidate, 'text' | 'contextWords' | 'whole'>,
  hints: PageHints,
  settings: Settings,
  chosen: ChosenReadings,
): JudgedNumber | null {
  const key = `${hints.near ?? ''}\n${hints.lang ?? ''}\n${hints.topLevelDomain ?? ''}\n${candidate.contextWords}\n${candidate.text}\n${candidate.whole ?? ''}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  // Office hours and the count of calls are the click's business; they must not stay in a cache.
  const resolved = resolveNumber({ kind: 'text', hints, ...candidate }, settings, { chosen });
  const judged = resolved ? toJudgedNumber(resolved) : null;
  if (resolved && isMomentary(resolved.decision.reason)) return judged;
  if (cache.size >= maxCached) cache.delete(cache.keys().next().value!);
  cache.set(key, judged);
  return judged;
}

function isMomentary(reason: string): boolean {
  return reason === 'officeHours' || reason === 'tooManyCalls';
}

/** The hints that a page's address and language give of the numbers on it. */
export function hintsOf(
  url: string | undefined,
  lang: string | undefined,
  near?: string | undefined,
): PageHints {
  const host = url !== undefined && URL.canParse(url) ? new URL(url).hostname : '';
  const topLevelDomain = /\.([a-z]{2,})$/i.exec(host)?.[1]?.toLowerCase();
  return {
    ...(near !== undefined && isSupportedCountry(near) && { near }),
    ...(lang !== undefined && { lang }),
    ...(topLevelDomain !== undefined && { topLevelDomain }),
  };
}
