import { lstat, mkdir, readdir, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, expect, it } from 'vitest';
import { damageStore } from '../../testing/damage-store.ts';
import { runRelayCommand, startRelayProcess } from '../../testing/relay/relay-process.ts';
import { announce, ask, hangup } from '../../testing/relay/test-relay.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { readRelaySettings } from '../settings.ts';
import { schemaVersion } from '../store/sqlite/schema.ts';
import { backup, restore } from './backup.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function relayWithCall() {
  const folder = await temporaryFolder();
  stops.push(() => folder.remove());
  const store = `sqlite:${folder.file('relay.db')}`;
  const relay = await startRelayProcess({ STORE: store });
  stops.push(() => relay.stop());
  const key = await relay.print('key', 'add', '--from', '1105', '--client-calls');
  const announced = await announce(relay.url, key);
  return { folder, store, relay, key, ...announced };
}

it('says at its start that its store is new, until it has one', async () => {
  const { folder, store, relay } = await relayWithCall();
  const note = `sqlite:${folder.file('relay.db')}: there was no store; this one is new`;
  expect(relay.output().split(note)).toHaveLength(2);
  await relay.stop();
  await relay.start();
  expect(relay.output().split(note)).toHaveLength(2);
  await relay.stop();
  // As a killed restore leaves it.
  for (const suffix of ['-wal', '-shm']) await rm(folder.file(`relay.db${suffix}`));
  await truncate(folder.file('relay.db'));
  const again = await startRelayProcess({ STORE: store });
  stops.push(() => again.stop());
  expect(again.output()).toContain(note);
});

it('restores a backup of a running relay elsewhere, with calls, keys, secret', async () => {
  const { folder, relay, key, call, path } = await relayWithCall();
  const file = folder.file('copy.db');
  expect((await relay.run('backup', file)).stdout).toBe(`${file}\n`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await relay.run('backup', file)).toMatchObject({ code: 1, stderr: expect.stringMatching('exists') });

  await mkdir(folder.file('other'));
  const environment = { STORE: `sqlite:${folder.file('other/relay.db')}` };
  expect((await runRelayCommand(['restore', file], environment)).stdout).toContain('restored');
  expect((await stat(folder.file('other/relay.db'))).mode & 0o777).toBe(0o600);
  const restored = await startRelayProcess(environment);
  stops.push(() => restored.stop());
  expect((await ask(restored.url, `/v1/calls/${call.id}`, { as: key })).body).toMatchObject({ id: call.id });
  // The address that the service has for the end of the call still holds.
  expect((await ask(restored.url, path, { body: hangup() })).status).toBe(200);
  const storeOf = async (url: string) => (await ask(url, '/readyz')).body.store;
  expect(await storeOf(restored.url)).not.toBe(await storeOf(relay.url));
});

it('restores where a symlink leads, also while there is nothing', async () => {
  const { folder, relay } = await relayWithCall();
  await relay.run('backup', folder.file('copy.db'));
  await mkdir(folder.file('volume'));
  await symlink(folder.file('volume/relay.db'), folder.file('link.db'));
  const restored = await runRelayCommand(['restore', folder.file('copy.db')], {
    STORE: `sqlite:${folder.file('link.db')}`,
  });
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('volume/relay.db restored') });
  expect((await lstat(folder.file('link.db'))).isSymbolicLink()).toBe(true);
  expect(await readdir(folder.file('volume'))).toEqual(['relay.db', 'relay.db.lock', 'relay.db.secret']);
});

it('leaves a symlink to a disk that is not there as it is', async () => {
  const { folder, relay } = await relayWithCall();
  await symlink(folder.file('unmounted/copy.db'), folder.file('copy.db'));
  expect(await relay.run('backup', folder.file('copy.db'))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('exists already; nothing was written'),
  });
  expect((await lstat(folder.file('copy.db'))).isSymbolicLink()).toBe(true);
});

it('makes no store of the empty file that a killed restore has left', async () => {
  const { folder, relay } = await relayWithCall();
  const file = folder.file('copy.db');
  await relay.run('backup', file);
  await writeFile(folder.file('new.db'), '');
  await writeFile(folder.file('new.db.unfinished'), 'SQLite');
  const run = (...args: string[]) => runRelayCommand(args, { STORE: `sqlite:${folder.file('new.db')}` });
  for (const args of [
    ['key', 'list'],
    ['backup', folder.file('none.db')],
  ])
    expect(await run(...args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no store'),
    });
  expect((await run('check')).stdout).toContain('new.db: there is none yet');
  expect(await run('restore', file)).toMatchObject({ code: 0, stdout: expect.stringContaining('restored') });
});

it('check finds a damaged page of the store that no start reads', async () => {
  const { folder, store, relay } = await relayWithCall();
  await relay.stop('SIGTERM');
  const run = (...args: string[]) => runRelayCommand(args, { STORE: store });
  expect((await run('check')).stdout).toContain(`ok   store ${store}\n`);
  const database = new DatabaseSync(folder.file('relay.db'), { readOnly: true });
  const { at, size } = database
    .prepare(
      `SELECT (rootpage - 1) * page_size AS at, page_size AS size
        FROM sqlite_schema, pragma_page_size WHERE name = 'do_not_call'`,
    )
    .get() as { at: number; size: number };
  database.close();
  const damage = async (at: number) => {
    await damageStore(folder.file('relay.db'), { at, size });
    return (await run('check')).stdout;
  };
  expect(await damage(at)).toMatch(/FAIL store .*: it is damaged; stop the relay.* restore a backup\n/);
  expect(await damage(size)).toMatch(/FAIL store .* is malformed; stop the relay.* restore a backup\n/);
  expect(await damage(0)).toMatch(/FAIL store .* not a database; if it is your store, .* a backup\n/);
});

it('restores nothing beside a running relay, over a store, or from another file', async () => {
  const { folder, store, relay } = await relayWithCall();
  const file = folder.file('copy.db');
  await relay.run('backup', file);
  const restore = (from: string) => runRelayCommand(['restore', from], { STORE: store });
  expect((await restore(file)).stderr).toContain('no other process serves');
  await relay.stop('SIGTERM');
  expect((await restore(file)).stderr).toContain('has calls or keys');
  // Larger than what Node reads at once.
  await truncate(folder.file('relay.db'), 2 ** 31 + 1);
  expect((await restore(file)).stderr).toContain('has calls or keys');
  await writeFile(folder.file('text'), 'no database');
  const elsewhere = { STORE: `sqlite:${folder.file('new.db')}` };
  expect(await runRelayCommand(['restore', folder.file('text')], elsewhere)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('file is not a database'),
  });
  await truncate(file, 40_960);
  expect((await runRelayCommand(['restore', file], elsewhere)).stderr).toContain('malformed');
  await writeFile(file, '');
  expect((await runRelayCommand(['restore', file], elsewhere)).stderr).toContain('another version');
  expect((await runRelayCommand(['restore', folder.path], elsewhere)).stderr).toContain('got a folder');
});

it('leaves no part of a copy that could not be finished', async () => {
  const folder = await temporaryFolder();
  stops.push(() => folder.remove());
  const settings = readRelaySettings({ DIALMARK_STORE: `sqlite:${folder.file('relay.db')}` });
  await writeFile(folder.file('relay.db'), 'no database');
  expect(() => backup(settings, folder.file('copy.db'))).toThrow(`${folder.file('copy.db')}: `);
  await mkdir(folder.file('empty'));
  const own = readRelaySettings({ DIALMARK_STORE: `sqlite:${folder.file('empty/relay.db')}` });
  const copy = new DatabaseSync(folder.file('other.db'));
  copy.exec(`PRAGMA user_version = ${schemaVersion}`);
  copy.close();
  expect(() => restore(own, folder.file('other.db'))).toThrow('no such table');
  const files = [...(await readdir(folder.path)), ...(await readdir(folder.file('empty')))];
  expect(files.filter((file) => file.includes('unfinished'))).toEqual([]);
});

it('names a store that cannot be opened', async () => {
  const folder = await temporaryFolder();
  stops.push(() => folder.remove());
  await mkdir(folder.file('relay.db'));
  const settings = readRelaySettings({ DIALMARK_STORE: `sqlite:${folder.file('relay.db')}` });
  expect(() => backup(settings, folder.file('copy.db'))).toThrow(`${folder.file('relay.db')}: `);
});

it('says of a copy below a file that it is not a folder', async () => {
  const folder = await temporaryFolder();
  stops.push(() => folder.remove());
  await writeFile(folder.file('plain'), 'text');
  await writeFile(folder.file('relay.db'), 'not read');
  const settings = readRelaySettings({ DIALMARK_STORE: `sqlite:${folder.file('relay.db')}` });
  for (const below of ['copy.db', 'deep/copy.db']) {
    const file = folder.file(`plain/${below}`);
    expect(() => backup(settings, file)).toThrow(
      `${file}: expected a folder where ${folder.file('plain')} is a file: name another path; nothing was written`,
    );
  }
});

it('names a folder in the place where the copy is first written', async () => {
  const folder = await temporaryFolder();
  stops.push(() => folder.remove());
  await writeFile(folder.file('relay.db'), 'not read');
  await mkdir(folder.file('copy.db.unfinished'));
  const settings = readRelaySettings({ DIALMARK_STORE: `sqlite:${folder.file('relay.db')}` });
  expect(() => backup(settings, folder.file('copy.db'))).toThrow(
    `${folder.file('copy.db.unfinished')}: expected no folder`,
  );
});

it('names the secret that a copy lacks only where it is set', async () => {
  const folder = await temporaryFolder();
  stops.push(() => folder.remove());
  const environment = { STORE: `sqlite:${folder.file('relay.db')}` };
  await runRelayCommand(['key', 'add', '--from', '1105', '--create'], environment);
  const copied = (name: string, settings = {}) =>
    runRelayCommand(['backup', folder.file(name)], { ...environment, ...settings });
  expect((await copied('1.db')).stderr).toBe('It holds calls and keys: keep it as you keep the store\n');
  expect((await copied('2.db', { SECRET: 's'.repeat(32) })).stderr).toContain('not DIALMARK_SECRET');
});
