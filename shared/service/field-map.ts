/**
 * `map` (section 2.1): the request may ask for fields of the notification under other names, as comma-separated pairs
 * `<field>:<new_field_name>`. Built and checked here, and undone when the notification comes.
 */
import { z } from 'zod/mini';

/** The fields of the notification (section 2.3), all that a map may rename. */
export const notificationFields = [
  'event',
  'action',
  'calldate',
  'hangupdate',
  'uniqueid',
  'linkedid',
  'callid',
  'from',
  'to',
  'mainchannel',
  'route',
  'audio_file',
  'audio_url',
  'billsec',
  'duration',
  'callflow',
  'customer',
  'owner',
  'request',
] as const;
type NotificationField = (typeof notificationFields)[number];

/** Field of the notification -> the name it shall arrive under. */
export type FieldMap = Partial<Record<NotificationField, string>>;

type FieldMapProblem =
  | { code: 'notAPair'; part: string }
  | { code: 'unknownField'; field: string }
  | { code: 'fieldTwice'; field: string }
  | { code: 'emptyName'; field: string }
  | { code: 'badName'; field: string; name: string }
  | { code: 'nameTwice'; name: string }
  | { code: 'hidesField'; field: string; name: string };

const isNotificationField = (name: string): name is NotificationField =>
  (notificationFields as readonly string[]).includes(name);

/** Every reason why this list of pairs cannot be a map; empty when it can. Order follows the pairs. */
export function fieldMapProblems(pairs: readonly (readonly [string, string])[]): FieldMapProblem[] {
  const problems: FieldMapProblem[] = [];
  const renamed = new Set(pairs.map(([field]) => field));
  const fields = new Set<string>();
  const names = new Set<string>();
  for (const [field, name] of pairs) {
    if (!isNotificationField(field)) problems.push({ code: 'unknownField', field });
    if (fields.has(field)) problems.push({ code: 'fieldTwice', field });
    fields.add(field);
    if (name === '') {
      problems.push({ code: 'emptyName', field });
      continue;
    }
    // A reader that puts the notification into a plain object would lose or change `__proto__`, `constructor` and
    // their like.
    if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name) || name in Object.prototype)
      problems.push({ code: 'badName', field, name });
    if (names.has(name)) problems.push({ code: 'nameTwice', name });
    names.add(name);
    // A name that another, unrenamed field still has would be delivered twice, and one of the two is lost.
    if (name !== field && isNotificationField(name) && !renamed.has(name))
      problems.push({ code: 'hidesField', field, name });
  }
  return problems;
}

/** Splits `a:b,c:d` into pairs; what is not a pair is reported, never guessed. An empty text is no pairs. */
export function parsePairs(text: string): { pairs: [string, string][]; problems: FieldMapProblem[] } {
  const pairs: [string, string][] = [];
  const problems: FieldMapProblem[] = [];
  for (const part of text.split(',').map((piece) => piece.trim())) {
    if (part === '' && text.trim() === '') break;
    const colon = part.indexOf(':');
    if (colon < 1) problems.push({ code: 'notAPair', part });
    else pairs.push([part.slice(0, colon).trim(), part.slice(colon + 1).trim()]);
  }
  return { pairs, problems };
}

/** What a problem means, for a log or a command line; pages have their own words by `code`. */
export function describeProblem(problem: FieldMapProblem): string {
  switch (problem.code) {
    case 'notAPair':
      return `expected pairs like callid:external_id, separated by commas; "${problem.part}" is not one`;
    case 'unknownField':
      return `"${problem.field}" is not a field of the notification; the fields are ${notificationFields.join(', ')}`;
    case 'fieldTwice':
      return `the field "${problem.field}" is renamed twice`;
    case 'emptyName':
      return `the new name of "${problem.field}" is empty`;
    case 'badName':
      return `the new name "${problem.name}" of "${problem.field}" is not a plain one of letters, digits, _ . -`;
    case 'nameTwice':
      return `two fields get the same new name "${problem.name}"`;
    case 'hidesField':
      return `the new name "${problem.name}" of "${problem.field}" hides the field of that name`;
  }
}

/** @throws Error saying what was expected, what came and which pair is wrong. */
export function parseFieldMap(text: string): FieldMap {
  const { pairs, problems } = parsePairs(text);
  const all = [...problems, ...fieldMapProblems(pairs)];
  if (all.length > 0) throw new Error(`map: ${all.map(describeProblem).join('; ')}`);
  return Object.fromEntries(pairs);
}

/** The parameter's text: `callid:external_id,billsec:talk`. Undefined where nothing is renamed. */
export function formatFieldMap(map: FieldMap): string | undefined {
  const pairs = Object.entries(map).map(([field, name]) => `${field}:${name}`);
  return pairs.length === 0 ? undefined : pairs.join(',');
}

/** A string that is a valid `map`. */
export const FieldMapText = z.string().check((context) => {
  const { pairs, problems } = parsePairs(context.value);
  for (const problem of [...problems, ...fieldMapProblems(pairs)])
    context.issues.push({ code: 'custom', message: describeProblem(problem), input: context.value });
});

/** Renames as the service does; other members stay. */
export function applyFieldMap(
  body: Readonly<Record<string, unknown>>,
  map: FieldMap,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      (isNotificationField(name) ? map[name] : undefined) ?? name,
      value,
    ]),
  );
}

/**
 * Undoes `map` on an arrived notification. A field under its own name is taken as it is: a service that ignores
 * `map` still reports the end of a call.
 */
export function undoFieldMap(
  body: Readonly<Record<string, unknown>>,
  map: FieldMap,
): Record<string, unknown> {
  const original = new Map(Object.entries(map).map(([field, name]) => [name, field]));
  const renamedTo = new Set(Object.keys(map));
  const result: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(body)) {
    const field = original.get(name);
    if (field !== undefined) result[field] = value;
    else if (!renamedTo.has(name) || !(map[name as NotificationField]! in body)) result[name] = value;
  }
  return result;
}
