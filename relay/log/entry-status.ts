/** How far the entry of a call is, as the Call itself shows it. */
import { type Call, isFinished } from '../../shared/call/call.ts';
import { type EntryStatus, isSameRecord } from '../../shared/record/call-parts.ts';
import { type CallLog, isGivenUp, isLogged } from './call-log.ts';

/**
 * Used instead of a system's name in the index of due entries, for calls that need a record. The names of CRMs begin
 * with a letter.
 */
export const recordQueue = '-';

/** Whether the call is over, and an agent has to choose its record. */
export const needsRecord = ({ record, entry }: Call): boolean => !record && entry?.state === 'needsAgent';

/**
 * The status that a Call shows, for its record's system, or else for the first system that logs it. It is that of the
 * newest part that is not done, else of the newest part.
 */
function entryStatusOf(call: Call, { systems, entries, lacksRecord }: CallLog): EntryStatus | undefined {
  const { record } = call;
  if (!record)
    return lacksRecord && isLogged(call)
      ? { state: 'needsAgent', system: '', reason: lacksRecord }
      : undefined;
  const system = systems.includes(record.system) ? record.system : (systems[0] ?? record.system);
  const own = entries.filter(
    (entry) => entry.system === system && isSameRecord(entry.record, record) && !isGivenUp(entry),
  );
  const shown = own.findLast(({ state }) => state !== 'done') ?? own.at(-1);
  if (!shown) return isFinished(call) ? { state: 'none', system } : undefined;
  const url = shown.url ?? own.find((entry) => entry.url)?.url;
  return {
    state: shown.state,
    system: shown.system,
    ...(url ? { url } : {}),
    ...(shown.reason ? { reason: shown.reason } : {}),
  };
}

/** The call with the status of its log as `entry`. */
export function withStatus<T extends Call>(call: T, log: CallLog): T {
  const entry = entryStatusOf(call, log);
  return entry === undefined && call.entry === undefined ? call : { ...call, entry };
}
