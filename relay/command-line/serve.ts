/** The relay as a server, apart from the commands: they do not need most of what it loads. */

import { printNote } from '../../shared/server/print.ts';
import { stopOnSignal } from '../../shared/server/stop-on-signal.ts';
import { doubtfulSettings, type RelaySettings } from '../settings.ts';
import { startRelay } from '../start-relay.ts';

export async function serve(settings: RelaySettings): Promise<void> {
  for (const doubt of doubtfulSettings(settings)) printNote(doubt);
  const relay = await startRelay(settings);
  process.stdout.write(`listening on ${relay.url}\n`);
  stopOnSignal(relay.stop);
}
