/** Finds and judges the numbers of a content script's batch. Cached by text, as pages repeat numbers. */

import type { ResolvedNumber } from '../../../shared/numbers/dial/resolve.ts';
import type { Candidate } from '../../../shared/numbers/number.ts';
import type { NumberInText } from '../../../shared/numbers/number-in-text.ts';
import { countryNear, countryOfNumbers } from '../../../shared/numbers/reading/page-country.ts';
import type { Rules } from '../../../shared/protocol/rules.ts';
import type { FoundNumber } from '../../messages/content.ts';
import type { JudgedNumber } from '../../messages/views.ts';
import { resolveForTeam } from '../../resolve-for-team.ts';
import type { Settings } from '../../settings.ts';
import { onRulesChanged, teamRules } from '../calls/team-rules.ts';
import { onSettingsChanged, readSettings } from '../settings/settings-store.ts';
import { type ChosenReadings, chosenReadings } from './chosen-readings.ts';
import { toJudgedNumber } from './number-views.ts';
import { scanLabelled } from './scan-labelled.ts';

/** The page on which numbers were found. */
interface PageContext {
  /** The last label of the page's host: `de`. */
  topLevelDomain?: string | undefined;
  lang?: string | undefined;
}

const maxCached = 5000;
type Judgements = Map<string, JudgedNumber | null>;
/** The judgements, by the agent's answers that they used. */
let cache = new WeakMap<ChosenReadings, Judgements>();
/** A judge that has read the earlier settings or rules keeps filling the earlier cache. */
const replaceCache = () => {
  cache = new WeakMap();
};
onSettingsChanged(replaceCache);
onRulesChanged(replaceCache);

/** Judges numbers of a page with the settings as they are now. */
interface Judge {
  settings: Settings;
  chosen: ChosenReadings;
  rules: Rules | undefined;
  topLevelDomain: string | undefined;
  judgements: Judgements;
}

async function judgeOn(topLevelDomain: string | undefined): Promise<Judge> {
  const current = cache;
  const [{ settings }, chosen, rules] = await Promise.all([readSettings(), chosenReadings(), teamRules()]);
  const judgements: Judgements = current.get(chosen) ?? new Map();
  current.set(chosen, judgements);
  return { settings, chosen, rules, topLevelDomain, judgements };
}

/**
 * Scans each text and judges what is found.
 * @param labels for each text the words that name it elsewhere on the page.
 * @returns the numbers of each text, in order and without overlaps.
 */
export async function findNumbers(
  texts: readonly string[],
  { topLevelDomain, lang }: PageContext,
  labels: readonly string[] = [],
): Promise<FoundNumber[][]> {
  const judge = await judgeOn(topLevelDomain);
  return texts.map((text, index) => {
    const candidates = scanLabelled(text, labels[index] ?? '');
    return candidates.flatMap((candidate) => {
      const { start, end, contextWords, whole } = candidate;
      const source = {
        text: candidate.text,
        contextWords,
        ...(whole !== undefined && { whole }),
        ...(lang !== undefined && { lang }),
      };
      const found = judgeInText(text, candidate, candidates, source, judge);
      return found ? [{ start, end, ...found }] : [];
    });
  });
}

/** Judges a number that was found before, in the same way as a marked number. @returns null if it is not a number. */
export async function judgeFound(
  source: NumberInText,
  topLevelDomain: string | undefined,
): Promise<JudgedNumber | null> {
  return judgeCached(source, await judgeOn(topLevelDomain));
}

/** Judges a number in its text. The words around it are read only if its country is doubtful without them. */
function judgeInText(
  text: string,
  candidate: Candidate,
  all: readonly Candidate[],
  source: NumberInText,
  judge: Judge,
): { source: NumberInText; number: JudgedNumber } | undefined {
  let number = judgeCached(source, judge);
  if (/^\D*\+/.test(source.text)) return number ? { source, number } : undefined;
  const others = all.filter((other) => other !== candidate);
  const near = number && !number.isDoubtful ? countryOfNumbers(others) : countryNear(text, candidate, others);
  if (near === undefined || near === number?.country) return number ? { source, number } : undefined;
  const named = { ...source, near };
  number = judgeCached(named, judge);
  return number ? { source: named, number } : undefined;
}

/** @returns null: not a number. */
function judgeCached(
  number: NumberInText,
  { settings, chosen, rules, topLevelDomain, judgements }: Judge,
): JudgedNumber | null {
  const { text, contextWords, whole, near, lang } = number;
  const key = [near, lang, topLevelDomain, contextWords, text, whole].join('\n');
  const known = judgements.get(key);
  if (known !== undefined) return known;
  const source = { kind: 'page', number, topLevelDomain } as const;
  const resolved = resolveForTeam(source, settings, { now: new Date(), chosen }, rules);
  const judged = 'why' in resolved ? null : toJudgedNumber(resolved, settings);
  if (!('why' in resolved) && isMomentary(resolved)) return judged;
  if (judgements.size >= maxCached) judgements.delete(judgements.keys().next().value!);
  judgements.set(key, judged);
  return judged;
}

/** Office hours and the count of calls change with time, so they are not cached. */
const isMomentary = ({ decision: { reason } }: ResolvedNumber): boolean =>
  reason === 'officeHours' || reason === 'tooManyCalls';

/** The last part of a page's host: `de`. @param page its address or host. */
export function topLevelDomainOf(page: string | undefined): string | undefined {
  const host = page !== undefined && URL.canParse(page) ? new URL(page).hostname : page;
  return /\.([a-z]{2,})$/i.exec(host ?? '')?.[1]?.toLowerCase();
}
