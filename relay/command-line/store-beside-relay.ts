/** Opens the store for a command that runs beside the relay: the relay's own, never another that is made by mistake. */
import { setTimeout as pause } from 'node:timers/promises';
import { hasStore } from '../../shared/server/store-lock.ts';
import { type RelaySettings, settingsPrefix } from '../settings.ts';
import { openStore, sqlitePath, storeName } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { findRunningRelay, localAddress } from './running-relay.ts';

export interface StoreBesideRelay {
  store: Store;
  /** The name for people: a complete path, or an address without its password. */
  name: string;
}

/** Opens the store for a command. `mayCreate`: whether `--create` was given, for a command that has it. */
export type InStore = <Input extends unknown[]>(
  work: (opened: StoreBesideRelay, settings: RelaySettings, ...input: Input) => Promise<void>,
  mayCreate?: (...input: Input) => boolean,
) => (...input: Input) => Promise<void>;

/**
 * @param mayCreate whether a missing store may be made; absent: the command never makes one.
 * @throws Error that names the store if it is missing, or if the relay at the configured address uses another.
 */
export async function openStoreBesideRelay(
  settings: RelaySettings,
  mayCreate?: boolean,
): Promise<StoreBesideRelay> {
  const name = storeName(settings.store);
  if (settings.store === 'memory:')
    throw new Error(
      `${settingsPrefix}STORE: memory: is inside the relay’s process, where no command reaches it`,
    );
  const path = sqlitePath(settings.store);
  const isMissing = path !== undefined && !hasStore(path);
  if (isMissing && !mayCreate)
    throw new Error(
      `${name}: there is no store yet. The relay makes it when it starts; if yours runs, ` +
        'give this command its settings ' +
        `(${settingsPrefix}STORE, or --settings FILE)` +
        (mayCreate === undefined ? '' : '. To make it now, add --create'),
    );
  const address = localAddress(settings);
  const running = address === undefined ? undefined : await findRunningRelay(address);
  const refuse = (which: string): never => {
    throw new Error(
      `${name}: the relay at ${address} uses another store (${which}); nothing was changed. ` +
        `Give this command the relay’s settings: ${settingsPrefix}STORE, or --settings FILE; ` +
        `${settingsPrefix}LISTEN is the relay’s address`,
    );
  };
  // Opening the missing store would make it.
  if (isMissing && running?.kind === 'relay') refuse(`${running.store}, and this one is not there yet`);
  // A relay that hangs or whose store fails cannot say which one it uses.
  const isHanging = running?.kind === 'nothing' && running.isHanging;
  const isNotReady = running?.kind === 'other' && running.status === 503;
  if (isMissing && (isHanging || isNotReady))
    throw new Error(
      `${name}: there is no store yet, and the program at ${address} ` +
        `${isHanging ? 'does not answer' : 'is not ready'}; nothing was changed. Wait, or stop it first`,
    );
  const store = await openStore(settings);
  if (running?.kind !== 'relay' || running.store === store.epoch) return { store, name };
  await store.close();
  return refuse(`${running.store}, this one is ${store.epoch}`);
}

const writtenAtOnce = 500;

/**
 * Writes many items page by page. SQLite keeps no queue for its file: without a pause after each page the relay could
 * not write until the end, and agents' clicks would wait for it.
 */
export async function writePages<Item>(
  items: readonly Item[],
  write: (page: Item[], isFirst: boolean) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += writtenAtOnce) {
    const startedAt = performance.now();
    await write(items.slice(start, start + writtenAtOnce), start === 0);
    await pause(2 * (performance.now() - startedAt));
  }
}
