/** `directory`: pulls, lists and shows names, beside a running relay; numbers that are to be forgotten. */
import type { Command } from 'commander';
import { pino } from 'pino';
import { printNote, printRow, reportUnknown } from '../../shared/server/print.ts';
import { stopSignals } from '../../shared/server/stop-on-signal.ts';
import type { Directory } from '../directory/directory.ts';
import { ForgottenNumbers } from '../directory/forgotten-numbers.ts';
import { sameSubscriber } from '../directory/read-numbers.ts';
import { type RelaySettings, settingsPrefix } from '../settings.ts';
import type { Store } from '../store/store.ts';
import type { InStore } from './store-beside-relay.ts';
import { readTypedNumber } from './typed-number.ts';

interface SyncFlags {
  acceptFewer: boolean;
  full: boolean;
}

export function directoryCommands(program: Command, inStore: InStore): void {
  const directory = program.command('directory').description('names by number, from address books and CRMs');
  directory
    .command('sync [source]')
    .description('pulls one source, or each, and says what changed')
    .option('--accept-fewer', 'believes a source that has lost nearly all of its entries', false)
    .option('--full', 'reads everything again, whatever is known', false)
    .action(
      inStore(({ store }, settings, name: string | undefined, flags: SyncFlags) =>
        inDirectory(settings, store, (opened) => sync(opened, name, flags)),
      ),
    );
  directory
    .command('list')
    .description('sources: name, kind, entries, last sync, numbers that cannot be read, problem')
    .action(inStore(({ store }, settings) => inDirectory(settings, store, list)));
  directory
    .command('show <number>')
    .description('who has a number, by source: name, organisation, role, label')
    .action(
      inStore(({ store }, settings, number: string) =>
        inDirectory(settings, store, (opened) =>
          printPeople(opened, readTypedNumber(number, settings).number),
        ),
      ),
    );
  directory
    .command('allow <number>')
    .description('lets sources bring back a number that `forget` keeps away')
    .action(
      inStore(async ({ store }, settings, number: string) => {
        const { number: allowed } = readTypedNumber(number, settings);
        await ForgottenNumbers.set(store, allowed, false);
        process.stdout.write(`${allowed} may come back with the next sync\n`);
      }),
    );
}

/** Takes a number from every entry, and keeps it away from now on: also from sources that are set later. */
export async function forgetInDirectory(
  settings: RelaySettings,
  store: Store,
  number: string,
): Promise<void> {
  await ForgottenNumbers.set(store, number, true);
  // Loaded only here, as for `serve`. A source that is not set any more may have left names.
  const { openExistingIndex } = await import('../directory/index/open-index.ts');
  const index = await openExistingIndex(settings.store);
  let entries = 0;
  try {
    entries = (await index?.removeNumber(sameSubscriber(number))) ?? 0;
    if (entries > 0) await index?.newEpoch();
  } finally {
    index?.close();
  }
  if (entries > 0 || settings.sources.length > 0)
    process.stdout.write(`${entries} ${entries === 1 ? 'name' : 'names'} forgotten\n`);
}

async function inDirectory(
  settings: RelaySettings,
  store: Store,
  work: (directory: Directory) => Promise<void>,
): Promise<void> {
  if (settings.sources.length === 0)
    throw new Error(`${settingsPrefix}DIRECTORY_NAME_KIND: no source of names is set`);
  // Loaded only here, as for `serve`.
  const [{ openDirectory }, { Metrics }] = await Promise.all([
    import('../directory/open-directory.ts'),
    import('../metrics.ts'),
  ]);
  const log = pino({ level: 'silent' });
  const user = { settings, store, metrics: new Metrics(), log };
  const directory = await openDirectory(user);
  try {
    await work(directory!);
  } finally {
    await directory!.stop();
  }
}

/** A signal ends the sync, so that its claim ends: otherwise nothing could read the source for two minutes. */
async function sync(directory: Directory, name: string | undefined, flags: SyncFlags): Promise<void> {
  const wanted = directory.sources.filter(({ settings }) => name === undefined || settings.name === name);
  if (name !== undefined && wanted.length === 0)
    return reportUnknown(name, 'expected a source that `directory list` shows');
  const stop = new AbortController();
  const abort = () => stop.abort();
  for (const signal of stopSignals) process.once(signal, abort);
  for (const source of wanted) if (!stop.signal.aborted) await syncOne(directory, source, flags, stop.signal);
  for (const signal of stopSignals) process.off(signal, abort);
  if (stop.signal.aborted) process.exitCode = 1;
}

async function syncOne(
  directory: Directory,
  source: Directory['sources'][number],
  { acceptFewer, full }: SyncFlags,
  signal: AbortSignal,
): Promise<void> {
  const result = await directory.sync(source, { acceptsFewer: acceptFewer, isFull: full, signal });
  if (!result) {
    printNote(`${source.settings.name}: the relay syncs it just now; try again`);
    process.exitCode = 1;
    return;
  }
  const { changed, removed, entries, unread, leftOut, problem } = result;
  const counts = `${changed} changed, ${removed} removed, ${entries} entries, ${unread} numbers not read`;
  const gaps = leftOut > 0 ? `, ${gapsOf(leftOut)}` : '';
  process.stdout.write(`${source.settings.name}: ${problem ?? counts + gaps}\n`);
  if (problem !== undefined) process.exitCode = 1;
}

async function list(directory: Directory): Promise<void> {
  for (const { name, kind, entries, state } of await directory.list()) {
    const {
      syncedAt = 'never',
      unread = 0,
      leftOut = 0,
      problem = leftOut > 0 ? gapsOf(leftOut) : '',
    } = state;
    printRow([name, kind, `${entries} entries`, syncedAt, `${unread} not read`, problem]);
  }
}

const gapsOf = (leftOut: number): string =>
  `it leaves out ${leftOut} of its entries, which stay as they were known`;

async function printPeople(directory: Directory, number: string): Promise<void> {
  const people = await directory.peopleOf(number);
  for (const { source, name, organisation = '', role = '', numbers } of people) {
    const label = numbers.find((each) => each.number === sameSubscriber(number))?.label ?? '';
    printRow([source, name, organisation, role, label]);
  }
  if (people.length === 0) reportUnknown(number, 'no source has it');
}
