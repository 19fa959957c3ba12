/** The changing part of a call as the hash of `call:ID` has it. */
import type { CallState } from '../call-state.ts';
import { toText } from './connection.ts';

export interface VersionedState {
  current: CallState;
  /** Grows with every change: the script that writes compares it. */
  version: string;
}

export const stateFields = [
  'data',
  'open',
  'dialling',
  'deadline',
  'arrivals',
  'log',
  'version',
  'leasedUntil',
  'attempt',
] as const;

/**
 * @param fields the values of `stateFields`, in their order.
 * @param clockOffsetMs how far the clock of Redis is ahead. Leases and deadlines are stored by that clock.
 * @returns undefined where there is no such call.
 */
export function toState(
  fields: readonly (string | null)[],
  clockOffsetMs: number,
): VersionedState | undefined {
  if (fields[0] == null) return undefined;
  const text = (name: (typeof stateFields)[number]) => toText(fields[stateFields.indexOf(name)]);
  const [deadline, leasedUntil] = [text('deadline'), Number(text('leasedUntil'))];
  const current = {
    data: text('data'),
    isOpen: text('open') === '1',
    isDialling: text('dialling') === '1',
    deadline: deadline === '' ? undefined : Number(deadline) - clockOffsetMs,
    arrivals: text('arrivals'),
    leasedUntil: leasedUntil === 0 ? 0 : leasedUntil - clockOffsetMs,
    attempt: text('attempt'),
    log: text('log'),
  };
  return { current, version: text('version') };
}
