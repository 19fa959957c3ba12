import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { privateFile } from './store-lock.ts';
import { storedSecret } from './stored-secret.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dialmark-private-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const isRoot = process.getuid?.() === 0;

it.runIf(isRoot).each<[string, (file: string) => unknown]>([
  ['of a store', privateFile],
  ['of a secret', storedSecret],
])('gives a file %s that root makes to the owner of its folder', (_what, make) => {
  const ofService = join(folder, 'service');
  mkdirSync(ofService);
  chownSync(ofService, 4711, 4712);
  const file = join(ofService, 'made');
  make(file);
  const { uid, gid, mode } = statSync(file);
  expect([uid, gid, mode & 0o777]).toEqual([4711, 4712, 0o600]);
});

it.runIf(isRoot)('leaves an existing file to its owner', () => {
  const file = join(folder, 'relay.db');
  privateFile(file);
  chownSync(file, 4713, 4713);
  privateFile(file);
  expect(statSync(file).uid).toBe(4713);
});
