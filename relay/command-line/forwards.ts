/** `forward`: shows, repeats and drops notifications on their way to DIALMARK_FORWARD_URL. */
import { maskNumber } from '../../shared/server/log.ts';
import { printNote, printRow, reportUnknown } from '../../shared/server/print.ts';
import type { Store } from '../store/store.ts';
import { recordDone } from './operator-audit.ts';

const maxListed = 1000;
const expectedForward = 'expected the id of a forward; `forward list` shows them';

export async function listForwards(store: Store): Promise<void> {
  const forwards = await store.forwards.list(maxListed);
  for (const { id, dead, at, attempts, from, to, note } of forwards) {
    const state = dead ? 'dead' : 'waiting';
    const count = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
    printRow([id, state, new Date(at).toISOString(), count, maskNumber(from), maskNumber(to), note]);
  }
  if (forwards.length === maxListed) printNote(`only the first ${maxListed} are shown`);
}

export async function retryForwards(store: Store, id: string): Promise<void> {
  const count = await store.forwards.retry(id === 'all' ? undefined : id, Date.now());
  if (count === 0 && id !== 'all') return reportUnknown(id, expectedForward);
  if (count > 0) await recordDone(store, 'forward.retry', id);
  process.stdout.write(`${count} to be forwarded again\n`);
}

export async function dropForward(store: Store, id: string): Promise<void> {
  if (!(await store.forwards.drop(id))) return reportUnknown(id, expectedForward);
  await recordDone(store, 'forward.drop', id);
  process.stdout.write(`${id} dropped\n`);
}
