import type { BatchCommitter } from './batch-commit.ts';

/** A revoked key must end its streams within a second; reading `data_version` takes some microseconds. */
const pollIntervalMs = 250;

/** Calls `onChanged` after another process, or another connection of this one, wrote to the file. @returns how to stop. */
export function pollChanges(committer: BatchCommitter, onChanged: () => void): () => void {
  let version = committer.dataVersion();
  const poll = setInterval(() => {
    try {
      const now = committer.dataVersion();
      if (now === version) return;
      version = now;
      onChanged();
    } catch {
      // The next batch reports what is wrong with the file.
    }
  }, pollIntervalMs);
  poll.unref();
  return () => clearInterval(poll);
}
