/** The content of the form: settings that may not be valid yet, read and written by dotted path. */
import { type Tree, valueAt, withValues } from '../../dotted-path.ts';
import { Settings } from '../../settings.ts';
import type { TextKey } from '../../text.ts';
import {
  addressPaths,
  isDirect,
  plaintextAddresses,
  requiredAddresses,
  usedAddresses,
} from '../parts/used-addresses.ts';

/** The settings as typed. A field whose text cannot be read keeps that text, and shows it with its problem. */
export type SettingsDraft = Tree;

/**
 * Changes by path, in the order in which they were made. A change of a path replaces earlier changes below that path.
 * So a removed dial rule does not come back because of its note.
 */
export type DraftChanges = ReadonlyMap<string, unknown>;

export function withChanges(before: DraftChanges, values: Readonly<Record<string, unknown>>): DraftChanges {
  const paths = Object.keys(values);
  const kept = [...before].filter(
    ([one]) => !paths.some((path) => one === path || one.startsWith(`${path}.`)),
  );
  return new Map([...kept, ...Object.entries(values)]);
}

const rulesPath = 'numbers.dialRules';

/**
 * Replaces a change inside a dial rule by a change of the whole list of rules. A rule's path is its place in the list.
 * If another window removed an earlier rule, the change would go to the next rule.
 */
export function withWholeRules(draft: SettingsDraft, values: Readonly<Record<string, unknown>>) {
  const isOfRule = ([path]: [string, unknown]) => path.startsWith(`${rulesPath}.`);
  const entries = Object.entries(values);
  const typed = entries.filter(isOfRule);
  if (typed.length === 0) return values;
  const changed = withValues(draft, typed);
  const others = entries.filter((entry) => !isOfRule(entry));
  return { ...Object.fromEntries(others), [rulesPath]: valueAt(changed, rulesPath) };
}

/** The changes made since those in `sent` were saved. */
export function withoutSaved(now: DraftChanges, sent: DraftChanges): DraftChanges {
  return new Map([...now].filter(([path, value]) => !sent.has(path) || sent.get(path) !== value));
}

/**
 * The changes without those that set a value which the settings already have. Such a field then follows changes made
 * elsewhere, as an untouched field does.
 */
export function withoutPutBack(changes: DraftChanges, base: SettingsDraft): DraftChanges {
  const isPartOfChange = (path: string) => [...changes.keys()].some((one) => path.startsWith(`${one}.`));
  const isPutBack = ([path, value]: [string, unknown]) =>
    !isPartOfChange(path) && sameSettings({ value }, { value: valueAt(base, path) });
  return new Map([...changes].filter((change) => !isPutBack(change)));
}

/**
 * Adds to a list with unsaved changes what was added to the saved list, and removes what was removed. Sites change at
 * once: here, in the popup, by the menu. Another window may save any list.
 */
export function withListChanges(changes: DraftChanges, before: SettingsDraft, after: SettingsDraft) {
  const takeOver = ([path, value]: [string, unknown]): [string, unknown] => {
    const [old, now] = [valueAt(before, path), valueAt(after, path)];
    const areLists = Array.isArray(value) && Array.isArray(old) && Array.isArray(now);
    return [path, areLists ? mergedList(value, old, now) : value];
  };
  return new Map([...changes].map(takeOver));
}

/** @returns `typed` itself if it did not change. */
function mergedList(typed: unknown[], before: readonly unknown[], after: readonly unknown[]): unknown[] {
  const [inTyped, inBefore, inAfter] = [comparable(typed), comparable(before), comparable(after)];
  const merged = typed.filter((_, index) => {
    const key = inTyped[index]!;
    return inAfter.includes(key) || !inBefore.includes(key);
  });
  const added = after.filter((_, index) => !inBefore.concat(inTyped).includes(inAfter[index]!));
  if (added.length === 0 && merged.length === typed.length) return typed;
  // The order of dial rules matters. An added rule is put behind the rules that are before it in the saved list.
  for (const member of added) {
    const earlier = inAfter.slice(0, after.indexOf(member));
    merged.splice(comparable(merged).findLastIndex((key) => earlier.includes(key)) + 1, 0, member);
  }
  return merged;
}

/** Texts of the members, to compare them. */
const comparable = (list: readonly unknown[]) => list.map((member) => JSON.stringify(ordered(member)));

/** The text for a value that the schema refuses, by path. The first pattern that fits is used. */
const problemTexts: readonly (readonly [RegExp, TextKey])[] = [
  [/^connection\.(relayUrl|direct\.\w+Url)$/, 'page_problem_address'],
  [/^connection\.direct\.map$/, 'page_problem_map'],
  [/^agent\.from$/, 'page_problem_from'],
  [/^agent\.timeout$/, 'page_problem_timeout'],
  [/^agent\.askAgainSeconds$/, 'page_problem_askAgain'],
  [/\.tipDelayMs$/, 'page_problem_tipDelay'],
  [/^agent\.callerid$/, 'page_problem_callerid'],
  [/\.areaCode$/, 'page_problem_areaCode'],
  [/\.extensions\b/, 'page_problem_extensions'],
  [/^sites\.\w+$/, 'error_tooManySites'],
  [/^sites\./, 'page_problem_host'],
  [/\.blockedPrefixes\b/, 'page_problem_blockedPrefixes'],
  [/\.(prefix|prepend)$/, 'page_problem_digits'],
  [/\.(strip|minLength|maxLength)$/, 'page_problem_length'],
  [/\.maxCallsPerMinute$/, 'page_problem_maxCalls'],
  [/\.officeHours\b/, 'page_problem_officeHours'],
  [/\.countries\b|\.country$|\.allowedCountries\b/, 'page_problem_country'],
];

/** The text that says why the value at this path is refused. */
export const problemText = (path: string): TextKey =>
  problemTexts.find(([pattern]) => pattern.test(path))?.[1] ?? 'page_problem_other';

/** Every field that cannot be saved as it is: dotted path -> the text with the reason. */
export function problemsOf(draft: SettingsDraft): Map<string, TextKey> {
  const problems = new Map<string, TextKey>();
  for (const path of requiredAddresses(draft))
    if (!valueAt(draft, path)) problems.set(path, 'page_problem_address');
  if (valueAt(draft, 'connection.allowPlaintext') !== true)
    for (const path of plaintextAddresses(draft)) problems.set(path, 'page_problem_plaintext');
  for (const path of emptyRules(draft)) problems.set(`${path}.when.prefix`, 'page_problem_emptyRule');
  for (const issue of Settings.safeParse(draft).error?.issues ?? []) {
    const path = issue.path.map(String).join('.');
    const key = problemText(path);
    // A value that is not a list does not have too many sites.
    problems.set(path, key === 'error_tooManySites' && issue.code !== 'too_big' ? 'page_problem_other' : key);
  }
  return problems;
}

/**
 * Paths of dial rules that have no condition and change nothing. Such a rule would only stop later rules from matching.
 */
function emptyRules(draft: SettingsDraft): string[] {
  // A file may hold any value there. The schema refuses it later.
  const rules = valueAt(draft, rulesPath);
  const isSet = (value: unknown) => value !== undefined && value !== '' && value !== 0;
  return (Array.isArray(rules) ? rules : []).flatMap((rule, index) => {
    const values = Object.values(valueAt(rule, 'when') ?? {});
    const isUsed = [...values, valueAt(rule, 'strip'), valueAt(rule, 'prepend')].some(isSet);
    return isUsed ? [] : [`${rulesPath}.${index}`];
  });
}

/** The settings to be saved. If a hidden field has a problem, its saved value stays. */
export function withoutFoldedProblems(draft: SettingsDraft, saved: SettingsDraft): SettingsDraft {
  const problems = problemsOf(draft);
  const wrong = foldedFields(draft).filter((path) => problems.has(path));
  return withValues(
    draft,
    wrong.map((path) => [path, valueAt(saved, path)]),
  );
}

function foldedFields(draft: SettingsDraft): string[] {
  const map = 'connection.direct.map';
  const used = [...usedAddresses(draft), ...requiredAddresses(draft), ...(isDirect(draft) ? [map] : [])];
  return [...addressPaths, map].filter((path) => !used.includes(path));
}

export function sameSettings(one: SettingsDraft, other: SettingsDraft): boolean {
  return JSON.stringify(ordered(one)) === JSON.stringify(ordered(other));
}

/** Sorts members and drops undefined ones. Drafts that would be saved the same are then equal. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, ordered(member)]),
  );
}
