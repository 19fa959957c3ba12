/** The same helper on a record kept in a JSON file: all or nothing, backed up, undone. */
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/service.ts';
import { type Person, runAs } from './testing/world.ts';

const device = '8f3e1c5a-0b7d-4a6e-9c2f-1d5b7a9e3c10';
const account = { email: 'admin@harbor.example', password: 'never-shown' };
const person: Person = { ...account, answer: 'yes' };
const record = {
  note: 'kept as it is',
  itc_register: [
    { uuid: device, client_key: null, api_key: '', created: '2026-01-01', registered_itc: false },
  ],
  itc_consumers: [{ id_distro: 1, id_service: 2, name_service: 'other', more: true }],
};

let sandbox: Sandbox;
let folder: string;
let file: string;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, account });
});
afterAll(() => sandbox?.close());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dialmark-record-'));
  file = path.join(folder, 'record.json');
  await save(record);
});
afterEach(() => rm(folder, { recursive: true }));

const save = (value: unknown) => writeFile(file, `${JSON.stringify(value, null, 4)}\n`);
const text = () => readFile(file, 'utf8');
const options = () => ['--record', file, '--backup-folder', path.join(folder, 'backups'), '--json'];
const register = (who: Person = person, ...more: string[]) =>
  runAs(who, ['--register-api-url', sandbox.url, ...options(), ...more]);

describe('a record in a JSON file', () => {
  it('gets what a database gets, and keeps everything else, its look, its mode and its link', async () => {
    await chmod(file, 0o640);
    const link = path.join(folder, 'link.json');
    await symlink(file, link);
    const ended = await register(person, '--record', link);
    expect(ended.json().status).toBe('written');
    const after = JSON.parse(await text());
    expect(after).toEqual({
      note: 'kept as it is',
      itc_register: [
        {
          ...record.itc_register[0],
          client_key: expect.stringMatching(/^\$2a/),
          api_key: expect.stringContaining('/$1$'),
          registered_itc: 1,
        },
      ],
      itc_consumers: [
        record.itc_consumers[0],
        { id_distro: 1, id_service: 1, name_service: 'intercomunexao' },
      ],
    });
    expect(await text()).toBe(`${JSON.stringify(after, null, 4)}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect((await readdir(folder)).sort()).toEqual(['backups', 'link.json', 'record.json']);
    expect((await register()).json().status).toBe('nothingToChange');
  });

  it('is backed up and undone to the letter', async () => {
    const before = await text();
    const { backup } = (await register()).json();
    expect((await stat(backup!)).mode & 0o777).toBe(0o600);
    expect(await readFile(backup!, 'utf8')).not.toMatch(/never-shown|eyJ/);
    expect((await runAs(person, ['undo', backup!, ...options()])).json().status).toBe('written');
    expect(await text()).toBe(before);
    expect((await runAs(person, ['undo', backup!, ...options()])).json().status).toBe('nothingToChange');
  });

  it('is not touched by a dry run, a no, a wrong password', async () => {
    const before = await text();
    expect((await register(person, '--dry-run')).json().status).toBe('wouldChange');
    expect((await register({ ...person, answer: 'no' })).code).toBe(3);
    expect((await register({ ...person, password: 'other' })).code).toBe(20);
    expect(await text()).toBe(before);
    expect(await readdir(folder)).toEqual(['record.json']);
  });

  it.each([
    ['severalRows', { ...record, itc_register: [...record.itc_register, ...record.itc_register] }],
    ['noRow', { ...record, itc_register: [] }],
    ['noUuid', { ...record, itc_register: [{ ...record.itc_register[0], uuid: '' }] }],
    ['missingTable', { itc_register: record.itc_register }],
    ['missingColumn', { ...record, itc_register: [{ uuid: device }] }],
    ['missingTable', null],
  ])('is refused as %s before the password is asked for', async (code, content) => {
    await save(content);
    const before = await text();
    const ended = await register({});
    expect(ended.json().error!.code).toBe(code);
    expect(ended.code).toBe(11);
    expect(await text()).toBe(before);
  });

  it('is refused when it is no JSON, or not there', async () => {
    await writeFile(file, '{"itc_register": [');
    expect((await register()).code).toBe(10);
    await rm(file);
    expect((await register()).code).toBe(10);
  });

  it('that changes while the question stands is left alone', async () => {
    const ended = await register({
      ...person,
      fetch: async (...args) => {
        const response = await fetch(...args);
        await save({ ...record, itc_register: [{ ...record.itc_register[0], api_key: 'new' }] });
        return response;
      },
    });
    expect(ended).toMatchObject({ code: 13 });
    expect(JSON.parse(await text()).itc_register[0].api_key).toBe('new');
  });

  it('has a mapping of its own, checked', async () => {
    const mapping = path.join(folder, 'mapping.json');
    await save({ ...record, peers: record.itc_consumers });
    await writeFile(mapping, '{"consumers": {"table": "peers"}}');
    await register(person, '--mapping', mapping);
    expect(JSON.parse(await text())).toMatchObject({ peers: [{}, { id_service: 1 }], itc_consumers: [{}] });
    for (const [wrong, named] of [
      ['{"consumers": {"tables": "x"}}', 'tables'],
      ['{"register": {"table": "a; DROP TABLE b"}}', 'register.table'],
      ['nonsense', 'mapping.json'],
    ]) {
      await writeFile(mapping, wrong!);
      const ended = await register(person, '--mapping', mapping);
      expect(ended.code).toBe(2);
      expect(ended.json().error!.message).toContain(named);
    }
  });
});
