import { watch } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { coalesce } from '../shared/async/coalesce.ts';

/** How long to wait for more changes. An editor writes a file in several steps, and a checkout writes many files. */
const settleMs = 100;

/**
 * Runs `onChange` after each burst of changes under the folders, one run at a time, and once more for changes
 * during a run.
 * @param onChange must not reject. @returns what ends the watch.
 */
export function watchFolders(folders: readonly string[], onChange: () => Promise<void>): () => void {
  const run = coalesce(async () => {
    await wait(settleMs);
    await onChange();
  });
  const watchers = folders.map((folder) => watch(folder, { recursive: true }, () => void run()));
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}
