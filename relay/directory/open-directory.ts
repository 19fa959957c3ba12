/** The directory of a relay or of a command beside it. */
import type { Logger } from 'pino';
import type { Metrics } from '../metrics.ts';
import type { RelaySettings } from '../settings.ts';
import type { Store } from '../store/store.ts';
import { Directory } from './directory.ts';
import { openIndex } from './index/open-index.ts';
import { openSource } from './sources/open-source.ts';

interface DirectoryUser {
  settings: RelaySettings;
  store: Store;
  metrics: Metrics;
  log: Logger;
}

/** @returns undefined where no source of names is set. */
export async function openDirectory({ settings, ...user }: DirectoryUser): Promise<Directory | undefined> {
  if (settings.sources.length === 0) return undefined;
  return new Directory({
    ...user,
    sources: settings.sources.map((source) => ({ ...openSource(source), settings: source })),
    extensions: settings.dialExtensions,
    index: await openIndex(settings.store),
  });
}
