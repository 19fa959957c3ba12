import { indexOf } from '../apply-change.ts';
import type { CallState } from '../call-state.ts';

/** Most calls are logged nowhere and have no callback: their index is not written. */
export function indexArguments(current: CallState, next: CallState): (string | number)[] {
  if (next.log === current.log && !next.data.includes('"wrapUp"')) return ['0'];
  const { due, callback, isUnlogged } = indexOf(next);
  const entries = due.flatMap((entry) => [entry.system, entry.lane, entry.due]);
  return ['1', next.log, callback?.at ?? '', callback?.by ?? '', Number(isUnlogged), ...entries];
}
