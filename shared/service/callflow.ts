/** `callflow` (section 2.3): an object from channel ids to entries, into legs in the order the PBX created them. */
import type { Leg } from '../call/call.ts';

/** More legs than any real transfer chain; a hostile notification must not fill a screen or a store. */
const maxLegs = 50;
const maxText = 256;

/** Asterisk ids are `<unix seconds>.<counter>`: both parts order channels. Keys of other shapes keep the order given. */
export function readCallflow(callflow: unknown): Leg[] | undefined {
  if (typeof callflow !== 'object' || callflow === null || Array.isArray(callflow)) return undefined;
  const legs = Object.entries(callflow)
    .slice(0, maxLegs)
    .filter(
      (entry): entry is [string, Record<string, unknown>] =>
        typeof entry[1] === 'object' && entry[1] !== null,
    )
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

function readLeg(key: string, entry: Record<string, unknown>): Leg {
  const leg: Leg = { id: (text(entry.uniqueid) ?? key).slice(0, maxText) };
  for (const [ours, theirs] of legFields) {
    const value = text(entry[theirs]);
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

/** Asterisk writes `<unknown>` where it knows nothing; so do empty strings. */
function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value === '' || value === '<unknown>') return undefined;
  return value.slice(0, maxText);
}
