import { rm } from 'node:fs/promises';

/** Removes a folder that a browser wrote to: its helpers may write a last file when it is gone itself. */
export function removeProfile(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 20 });
}
