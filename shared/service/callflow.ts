/** `callflow` (section 2.3): an object from channel ids to entries, into legs in the order the PBX created them. */
import type { Leg } from '../call/call.ts';
import { asText, isObject, type JsonObject } from './json.ts';

/**
 * The most legs that are read, more than any real transfer chain. A hostile notification must not fill a screen or a
 * store.
 */
const maxLegs = 50;

/**
 * Asterisk ids are `<unix seconds>.<counter>`: both parts order channels. Keys of other shapes keep the order given.
 */
export function readCallflow(callflow: unknown): Leg[] | undefined {
  if (!isObject(callflow)) return undefined;
  const legs = Object.entries(callflow)
    .slice(0, maxLegs)
    .filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
    .map(([key, entry]) => readLeg(key, entry));
  if (legs.length === 0) return undefined;
  return legs
    .map((leg, index) => ({ leg, index, order: channelOrder(leg.id) }))
    .sort((a, b) =>
      a.order && b.order
        ? a.order[0] - b.order[0] || a.order[1] - b.order[1] || a.index - b.index
        : a.index - b.index,
    )
    .map(({ leg }) => leg);
}

function readLeg(key: string, entry: JsonObject): Leg {
  const leg: Leg = { id: (knownText(entry.uniqueid) ?? key).slice(0, 256) };
  for (const [ours, theirs] of legFields) {
    const value = knownText(entry[theirs]);
    if (value !== undefined) leg[ours] = value;
  }
  return leg;
}

const legFields = [
  ['channel', 'channel'],
  ['state', 'channelstatedesc'],
  ['exten', 'exten'],
  ['callerNumber', 'calleridnum'],
  ['callerName', 'calleridname'],
  ['connectedNumber', 'connectedlinenum'],
  ['connectedName', 'connectedlinename'],
  ['context', 'context'],
] as const satisfies readonly (readonly [keyof Leg, string])[];

function channelOrder(id: string): [number, number] | undefined {
  const match = /(\d{6,12})\.(\d{1,9})$/.exec(id);
  return match ? [Number(match[1]), Number(match[2])] : undefined;
}

/** Asterisk writes `<unknown>` for an absent value. */
function knownText(value: unknown): string | undefined {
  return value === '<unknown>' ? undefined : asText(value);
}
