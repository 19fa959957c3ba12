/**
 * The notification as it goes on: the provider's own JSON, token by token, so that a number longer than ours can be, a
 * member named twice and an escape stay what they were. Taken out is what is secret: the members
 * `returnurl` and `token` of `request`, and whatever else spells a capability of this call (Law 6).
 */
import type { FieldMap } from '../../shared/service/field-map.ts';

export interface Forwarding {
  callId: string;
  /** The provider's `map`: the names that fields came under. */
  arrivedUnder: FieldMap;
  /** The names they go on under; absent: as they came. */
  rename?: FieldMap | undefined;
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const removed = '[removed]';
/** What an echoed request may hold that is for the relay and the service alone (Laws 5 and 6). */
const secretMembers = new Set(['returnurl', 'token']);

/**
 * @param json one JSON object as text, already known to parse and to be nested no deeper than we take.
 * @returns the same without blanks, renamed and without the capability.
 */
export function forwardedBody(json: string, forwarding: Forwarding): string {
  const { arrivedUnder } = forwarding;
  const named = renaming(forwarding, Object.keys(JSON.parse(json) as object));
  const echoes = new Set(['request', arrivedUnder.request ?? 'request']);
  const clean = withoutCapability(forwarding.callId);
  const all = json.match(tokens) ?? [];
  let position = 0;

  /** @param depth 0 for the notification itself. @param within the member of the notification that this is in. */
  const readValue = (depth: number, within: string | undefined): string => {
    const token = all[position++]!;
    if (token === '{') return readObject(depth, within);
    if (token === '[') return readArray(depth, within);
    return token.startsWith('"') ? clean(token) : token;
  };
  const readObject = (depth: number, within: string | undefined): string => {
    const members: string[] = [];
    while (all[position] !== '}') {
      const written = all[position]!;
      const name = JSON.parse(written) as string;
      position += 2;
      const value = readValue(depth + 1, depth === 0 ? name : within);
      if (all[position] === ',') position++;
      if (depth === 1 && secretMembers.has(name) && echoes.has(within!)) continue;
      const newName = depth === 0 ? named(name) : name;
      if (newName === undefined) continue;
      members.push(`${newName === name ? clean(written) : JSON.stringify(newName)}:${value}`);
    }
    position++;
    return `{${members.join(',')}}`;
  };
  const readArray = (depth: number, within: string | undefined): string => {
    const items: string[] = [];
    while (all[position] !== ']') {
      items.push(readValue(depth + 1, within));
      if (all[position] === ',') position++;
    }
    position++;
    return `[${items.join(',')}]`;
  };
  return readValue(0, undefined);
}

/** @returns what a member of the notification is called from here on; undefined where it goes: another has its name. */
function renaming(
  { arrivedUnder, rename }: Forwarding,
  arrived: readonly string[],
): (name: string) => string | undefined {
  if (!rename) return (name) => name;
  const own = new Map(Object.entries(arrivedUnder).map(([field, name]) => [name, field]));
  const fieldOf = (name: string): string | undefined => {
    const field = own.get(name);
    if (field !== undefined) return field;
    // Came under its own name although it was renamed: the renamed one counts, as in `undoFieldMap`.
    const renamed = Object.hasOwn(arrivedUnder, name) ? arrivedUnder[name as keyof FieldMap] : undefined;
    return renamed !== undefined && arrived.includes(renamed) ? undefined : name;
  };
  const newNameOf = (field: string) =>
    Object.hasOwn(rename, field) ? rename[field as keyof FieldMap]! : field;
  const taken = new Map<string, string>();
  for (const name of arrived) {
    const field = fieldOf(name);
    if (field !== undefined && Object.hasOwn(rename, field)) taken.set(newNameOf(field), name);
  }
  return (name) => {
    const field = fieldOf(name);
    if (field === undefined) return undefined;
    const newName = newNameOf(field);
    return (taken.get(newName) ?? name) === name ? newName : undefined;
  };
}

/** Every capability of a call holds the call's id between its key's and its expiry (`access/signer.ts`). */
function withoutCapability(callId: string): (written: string) => string {
  const capability = new RegExp(`[\\w-]{6}\\.${callId}\\.[\\w-]+\\.[\\w-]+`, 'g');
  return (written) => {
    // An escape may spell any character of it.
    if (!written.includes('\\') && !written.includes(callId)) return written;
    const text = JSON.parse(written) as string;
    return text.includes(callId) ? JSON.stringify(text.replace(capability, removed)) : written;
  };
}
