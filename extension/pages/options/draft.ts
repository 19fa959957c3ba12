/** What stands in the form: settings that may not be valid yet, read and written by dotted path. */
import { Settings } from '../../settings.ts';
import type { TextKey } from '../../text.ts';

/** Settings as typed. A field that does not parse holds what was typed, so that it can be shown with its reason. */
export type Draft = { readonly [name: string]: unknown };

export function valueAt(draft: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], draft);
}

/** A new draft with this value; undefined takes the field out. */
export function withValue(draft: Draft, path: string, value: unknown): Draft {
  const [name = '', ...rest] = path.split('.');
  // A list stays a list: the fields of a dial rule are `numbers.dialRules.0.prepend`.
  const copy = (Array.isArray(draft) ? [...draft] : { ...draft }) as Record<string, unknown>;
  if (rest.length > 0) copy[name] = withValue((draft[name] ?? {}) as Draft, rest.join('.'), value);
  else if (value === undefined) delete copy[name];
  else copy[name] = value;
  return copy;
}

/**
 * Changes by path, in the order they were made. A change of a whole replaces what was changed inside it before: a removed
 * dial rule does not come back by its note.
 */
export type Changes = ReadonlyMap<string, unknown>;

export function withChanges(before: Changes, values: Readonly<Record<string, unknown>>): Changes {
  const paths = Object.keys(values);
  const kept = [...before].filter(
    ([one]) => !paths.some((path) => one === path || one.startsWith(`${path}.`)),
  );
  return new Map([...kept, ...Object.entries(values)]);
}

/** What is left of the changes once those that were sent are saved: what was changed since. */
export function withoutSaved(now: Changes, sent: Changes): Changes {
  return new Map([...now].filter(([path, value]) => !sent.has(path) || sent.get(path) !== value));
}

/** Which words explain a value that the schema refuses; the first that matches its path. */
const problemTexts: readonly (readonly [RegExp, TextKey])[] = [
  [/^connection\.(relayUrl|direct\.\w+Url)$/, 'page_problem_address'],
  [/^connection\.direct\.map$/, 'page_problem_map'],
  [/^agent\.from$/, 'page_problem_from'],
  [/^agent\.timeout$/, 'page_problem_timeout'],
  [/^agent\.callerid$/, 'page_problem_callerid'],
  [/\.areaCode$/, 'page_problem_areaCode'],
  [/\.extensions\b/, 'page_problem_extensions'],
  [/\.blockedPrefixes\b/, 'page_problem_blockedPrefixes'],
  [/\.(prefix|prepend)$/, 'page_problem_digits'],
  [/\.(strip|minLength|maxLength)$/, 'page_problem_length'],
  [/\.maxCallsPerMinute$/, 'page_problem_maxCalls'],
  [/\.officeHours\b/, 'page_problem_officeHours'],
  [/\.countries\b|\.country$|\.allowedCountries\b/, 'page_problem_country'],
];

/** Every field that cannot be saved as it is: dotted path -> the text that says why. */
export function problemsOf(draft: Draft): Map<string, TextKey> {
  const problems = new Map<string, TextKey>();
  for (const path of [...missingAddresses(draft), ...plaintextWithoutYes(draft)]) {
    problems.set(path.path, path.text);
  }
  const parsed = Settings.safeParse(draft);
  if (parsed.success) return problems;
  for (const issue of parsed.error.issues) {
    const path = issue.path.map(String).join('.');
    problems.set(path, problemTexts.find(([pattern]) => pattern.test(path))?.[1] ?? 'page_problem_other');
  }
  return problems;
}

/** A way to call that was chosen needs its address. */
function* missingAddresses(draft: Draft): Generator<{ path: string; text: TextKey }> {
  const mode = valueAt(draft, 'connection.mode');
  const needed =
    mode === 'relay'
      ? []
      : valueAt(draft, 'connection.direct.useLocal') === true
        ? ['connection.direct.localUrl']
        : [];
  for (const path of needed) if (!valueAt(draft, path)) yield { path, text: 'page_problem_addressMissing' };
  if (mode === 'direct' && valueAt(draft, 'connection.direct.returnTo') === 'own') {
    const path = 'connection.direct.ownReturnUrl';
    if (!valueAt(draft, path)) yield { path, text: 'page_problem_addressMissing' };
  }
}

/** Addresses that would send the key or token in the clear, in the order of the form. Loopback stays on this machine. */
export function plaintextAddresses(draft: Draft): string[] {
  const direct = valueAt(draft, 'connection.mode') === 'direct';
  const paths = [
    'connection.relayUrl',
    ...(direct
      ? ['connection.direct.primaryUrl', 'connection.direct.secondaryUrl', 'connection.direct.localUrl']
      : []),
  ];
  return paths.filter((path) => isPlaintext(valueAt(draft, path)));
}

function isPlaintext(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  const loopback =
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\./.test(hostname);
  return protocol === 'http:' && !loopback;
}

function* plaintextWithoutYes(draft: Draft): Generator<{ path: string; text: TextKey }> {
  if (valueAt(draft, 'connection.allowPlaintext') === true) return;
  for (const path of plaintextAddresses(draft)) yield { path, text: 'page_problem_plaintext' };
}

/** Addresses that the browser must be allowed to reach with this draft. */
export function neededAddresses(draft: object): string[] {
  const direct = valueAt(draft, 'connection.mode') === 'direct';
  const local = valueAt(draft, 'connection.direct.useLocal') === true;
  const paths = [
    'connection.relayUrl',
    ...(direct
      ? local
        ? ['connection.direct.localUrl']
        : ['connection.direct.primaryUrl', 'connection.direct.secondaryUrl']
      : []),
  ];
  return paths
    .map((path) => valueAt(draft, path))
    .filter((value): value is string => typeof value === 'string' && URL.canParse(value));
}

export function sameSettings(one: Draft, other: Draft): boolean {
  return JSON.stringify(ordered(one)) === JSON.stringify(ordered(other));
}

/** Members in one order, and without undefined ones: two drafts that save the same compare the same. */
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
