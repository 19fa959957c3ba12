import { changesIndex, indexOf } from '../apply-change.ts';
import type { CallState } from '../call-state.ts';

export function indexArguments(current: CallState, next: CallState): (string | number)[] {
  if (!changesIndex(current, next)) return ['0'];
  const { due, callback, isUnlogged } = indexOf(next);
  const entries = due.flatMap((entry) => [entry.system, entry.lane, entry.due]);
  return ['1', next.log, callback?.at ?? '', callback?.by ?? '', Number(isUnlogged), ...entries];
}
