/** The relay as a server, apart from the commands: they do not need most of what it loads. */

import { printNote } from '../../shared/server/print.ts';
import { stopOnSignal } from '../../shared/server/stop-on-signal.ts';
import { hasStore } from '../../shared/server/store-lock.ts';
import { doubtfulSettings, type RelaySettings } from '../settings.ts';
import { startRelay } from '../start-relay.ts';
import { sqlitePath, storeName } from '../store/open-store.ts';

export async function serve(settings: RelaySettings): Promise<void> {
  for (const doubt of doubtfulSettings(settings)) printNote(doubt);
  const path = sqlitePath(settings.store);
  // Right at the first start alone. Later the settings name another store, or the folder is another.
  if (path !== undefined && !hasStore(path))
    printNote(`${storeName(settings.store)}: there was no store; this one is new, without keys or calls`);
  const relay = await startRelay(settings);
  process.stdout.write(`listening on ${relay.url}\n`);
  stopOnSignal(relay.stop);
}
