/** Counts the entries of calls on the records of a CRM, by their markers. */
import type { PlacedCall } from './logging-relay.ts';
import type { RealCrm } from './real-crm.ts';

/** The start of the text on a record that a call has left. */
const movedText = 'This call belongs to another record: ';

interface CountedText {
  record: string;
  isMoved: boolean;
}

/** Ids of calls. */
export interface EntryCounts {
  /** The call's record does not have its entry. */
  lost: string[];
  /** A record has a text of the call twice. */
  twice: string[];
  /** Another record has a text of the call, or the record that the call left has only one of its two texts. */
  elsewhere: string[];
}

/** Looks for each call's marker on every record. */
export async function countEntries(
  crm: Pick<RealCrm, 'texts'>,
  records: readonly string[],
  calls: readonly Pick<PlacedCall, 'id' | 'record' | 'left'>[],
): Promise<EntryCounts> {
  const found = new Map<string, CountedText[]>();
  for (const record of records)
    for (const text of await crm.texts(record)) {
      const lastLine = text.trimEnd().split('\n').at(-1)!;
      const id = /^dialmark:([\w-]+)(?:\/\d+)?$/.exec(lastLine)?.[1];
      if (id) found.set(id, [...(found.get(id) ?? []), { record, isMoved: text.includes(movedText) }]);
    }
  const counts: EntryCounts = { lost: [], twice: [], elsewhere: [] };
  for (const { id, record, left } of calls) {
    const texts = found.get(id) ?? [];
    const count = (place: string | undefined, isMoved: boolean) =>
      texts.filter((text) => text.record === place && text.isMoved === isMoved).length;
    const [entries, entriesLeft, amendments] = [count(record, false), count(left, false), count(left, true)];
    if (entries === 0) counts.lost.push(id);
    if (Math.max(entries, entriesLeft, amendments) > 1) counts.twice.push(id);
    // On a record that the call left, both the entry and the amendment were written, or neither.
    const isAmended = entriesLeft > 0 === amendments > 0;
    if (!isAmended || texts.length > entries + entriesLeft + amendments) counts.elsewhere.push(id);
  }
  return counts;
}
