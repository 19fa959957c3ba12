import { chownSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { privateFile } from './store-lock.ts';
import { storedSecret } from './stored-secret.ts';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const isRoot = process.getuid?.() === 0;

it.runIf(isRoot).each<[string, (file: string) => unknown]>([
  ['of a store', privateFile],
  ['of a secret', storedSecret],
])('gives a file %s that root makes to the owner of its folder', (_what, make) => {
  const ofService = folder.file('service');
  mkdirSync(ofService);
  chownSync(ofService, 4711, 4712);
  const file = join(ofService, 'made');
  make(file);
  const { uid, gid, mode } = statSync(file);
  expect([uid, gid, mode & 0o777]).toEqual([4711, 4712, 0o600]);
});

it.runIf(isRoot)('leaves an existing file to its owner', () => {
  const file = folder.file('relay.db');
  privateFile(file);
  chownSync(file, 4713, 4713);
  privateFile(file);
  expect(statSync(file).uid).toBe(4713);
});
