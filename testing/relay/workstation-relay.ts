/** A workstation's relay, which a story may kill and start again. */
import path from 'node:path';
import { type RelayProcess as Process, relayProcess } from './relay-process.ts';

export interface RelayProcess extends Pick<Process, 'url' | 'start'> {
  addKey(from: string): Promise<string>;
  addSite(name: string, origin: string, from: string): Promise<string>;
  /** SIGTERM unless told; resolves when the process is gone. */
  kill(signal?: NodeJS.Signals): Promise<unknown>;
}

export interface RelayOptions {
  providerUrl: string;
  providerToken: string;
  /** Folder for the store; the caller removes it. */
  folder: string;
}

export async function startRelay(options: RelayOptions): Promise<RelayProcess> {
  const relay = relayProcess({
    settings: {
      PROVIDER_URL: options.providerUrl,
      PROVIDER_TOKEN: options.providerToken,
      STORE: `sqlite:${path.join(options.folder, 'relay.db')}`,
      COUNTRY: 'BR',
    },
  });
  await relay.start();
  return {
    url: relay.url,
    start: relay.start,
    addKey: (from) => relay.print('key', 'add', '--from', from),
    addSite: (name, origin, from) => relay.print('site', 'add', name, '--origin', origin, '--from', from),
    kill: (signal = 'SIGTERM') => relay.stop(signal),
  };
}
