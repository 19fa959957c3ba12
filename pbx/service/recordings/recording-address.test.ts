import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../../testing/temporary-folder.ts';
import { pathInFolder, recordingPath, recordingSigner } from './recording-address.ts';

const signer = recordingSigner('s'.repeat(32), 60_000);
const read = (address: string) => {
  const url = new URL(address, 'http://pbx');
  const file = decodeURIComponent(url.pathname.replace('/recordings/', ''));
  return { file, expires: url.searchParams.get('expires')!, signature: url.searchParams.get('signature')! };
};

describe('recordingSigner', () => {
  it('accepts its own address until it expires', () => {
    const { file, expires, signature } = read(signer.sign('2026/11/a b.wav', 1_000_000));
    expect(file).toBe('2026/11/a b.wav');
    expect(signer.check(file, expires, signature, 1_060_000)).toBe(true);
    expect(signer.check(file, expires, signature, 1_061_000)).toBe(false);
  });

  it.each([
    ['another file', { file: 'b.wav' }],
    ['a later time', { expires: '9999999999' }],
    ['a number written otherwise', { expires: ' 1060' }],
    ['no signature', { signature: '' }],
    ['a shorter signature', { signature: 'AAAA' }],
  ])('refuses %s', (_name, change) => {
    const { file, expires, signature } = { ...read(signer.sign('a.wav', 1_000_000)), ...change };
    expect(signer.check(file, expires, signature, 1_000_000)).toBe(false);
  });

  it('refuses the address of another secret', () => {
    const { file, expires, signature } = read(recordingSigner('t'.repeat(32), 60_000).sign('a.wav', 0));
    expect(signer.check(file, expires, signature, 0)).toBe(false);
  });
});

describe('recordingPath', () => {
  let temporary: TemporaryFolder;
  let outside: string;
  let folder: string;
  beforeAll(async () => {
    temporary = await temporaryFolder();
    outside = await realpath(temporary.path);
    folder = path.join(outside, 'monitor');
    await mkdir(path.join(folder, '2026/11'), { recursive: true });
    await writeFile(path.join(folder, '2026/11/a.wav'), 'sound');
    await writeFile(path.join(folder, '.hidden'), 'x');
    await writeFile(path.join(outside, 'secret.conf'), 'x');
    await symlink(path.join(outside, 'secret.conf'), path.join(folder, 'out.wav'));
    await symlink(outside, path.join(folder, 'up'));
    await symlink(path.join(folder, '2026/11/a.wav'), path.join(folder, 'latest.wav'));
    await symlink('loop.wav', path.join(folder, 'loop.wav'));
  });
  afterAll(() => temporary.remove());

  it('finds a file in the folder or in a folder within it', async () => {
    expect(await recordingPath(folder, '2026/11/a.wav')).toBe(path.join(folder, '2026/11/a.wav'));
    expect(await recordingPath(folder, 'latest.wav')).toBe(path.join(folder, '2026/11/a.wav'));
  });

  it.each([
    '../secret.conf',
    '2026/../../secret.conf',
    '/etc/passwd',
    'out.wav',
    'up/secret.conf',
    '.hidden',
    '2026',
    '',
    'a\0.wav',
  ])('rejects %j, which is not a file in the folder', async (file) => {
    await expect(recordingPath(folder, file)).rejects.toThrow(/^not a (path|file) in the recordings folder$/);
  });

  it('finds nothing where the folder has no such file', async () => {
    expect(await recordingPath(folder, 'no-such.wav')).toBeUndefined();
  });

  it.each([
    ['the folder is not mounted', 'unmounted', 'a.wav', 'ENOENT'],
    ['the file cannot be read', 'monitor', 'loop.wav', 'ELOOP'],
  ])('rejects where %s', async (_what, name, file, code) => {
    await expect(recordingPath(path.join(outside, name), file)).rejects.toMatchObject({ code });
  });
});

it('pathInFolder keeps the folders below the recordings folder, but only the name elsewhere', () => {
  expect(pathInFolder('/var/spool/monitor', '/var/spool/monitor/2026/11/a.wav')).toBe('2026/11/a.wav');
  expect(pathInFolder('/mnt/recordings', '/var/spool/monitor/2026/11/a.wav')).toBe('a.wav');
});
