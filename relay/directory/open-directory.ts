/** The directory of a relay or of a command beside it. */
import type { Logger } from 'pino';
import type { Metrics } from '../metrics.ts';
import type { RelaySettings } from '../settings.ts';
import { sqlitePath } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { Directory } from './directory.ts';
import type { DirectoryIndex } from './index/directory-index.ts';
import { openExistingIndex, openIndex } from './index/open-index.ts';
import { openSource } from './sources/open-source.ts';

interface DirectoryUser {
  settings: RelaySettings;
  store: Store;
  metrics: Metrics;
  log: Logger;
}

/** @returns undefined where no source of names is set, and none that was set before has left names. */
export async function openDirectory({ settings, ...user }: DirectoryUser): Promise<Directory | undefined> {
  const index =
    settings.sources.length > 0
      ? await openIndex(settings.store)
      : await openLeftIndex(settings.store).catch((error: Error) => {
          // A relay without sources does not need the index.
          user.log.error({ error: error.message }, 'names of sources that are not set any more were kept');
          return undefined;
        });
  return (
    index &&
    new Directory({
      ...user,
      sources: settings.sources.map((source) => ({ ...openSource(source), settings: source })),
      extensions: settings.dialExtensions,
      index,
    })
  );
}

/**
 * The index, if sources that are not set any more have left names in it. Then the directory removes them. In Redis,
 * other relays may still have these sources.
 */
async function openLeftIndex(store: string): Promise<DirectoryIndex | undefined> {
  const index = sqlitePath(store) === undefined ? undefined : await openExistingIndex(store);
  try {
    for (const name of (await index?.sources())?.keys() ?? [])
      if ((await index!.countOf(name)) > 0) return index;
  } catch (error) {
    index?.close();
    throw error;
  }
  index?.close();
  return undefined;
}
