/** The encrypted connection to the database: only to the server that its certificate names, by the given authority. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../sandbox/service.ts';
import { type Certificate, makeCertificate } from '../testing/servers/make-certificate.ts';
import { type TemporaryFolder, temporaryFolder } from '../testing/temporary-folder.ts';
import { type MariaDb, startMariaDb } from './testing/mariadb.ts';
import { createPbxDatabase } from './testing/pbx-database.ts';
import { runAs } from './testing/run-as.ts';

const account = { email: 'admin@harbor.example', password: 'sandbox-password' };
let folder: TemporaryFolder;
let sandbox: Sandbox;
let server: MariaDb;
let impostor: MariaDb;
let local: Certificate;
let other: Certificate;

beforeAll(async () => {
  folder = await temporaryFolder();
  [local, other] = await Promise.all([
    makeCertificate(folder.path, 'localhost'),
    makeCertificate(folder.path, 'other.example'),
  ]);
  [sandbox, server, impostor] = await Promise.all([
    startSandbox({ port: 0, account }),
    startMariaDb(local),
    startMariaDb(other),
  ]);
  for (const one of [server, impostor]) {
    const database = await one.connect();
    await createPbxDatabase(database, [
      "CREATE USER helper@'%' IDENTIFIED BY 'secret' REQUIRE SSL",
      "GRANT SELECT, INSERT, UPDATE ON pbx.* TO helper@'%'",
    ]);
    await database.end();
  }
  await writeFile(folder.file('password'), 'secret');
});
afterAll(async () => {
  await Promise.all([server?.stop(), impostor?.stop(), sandbox?.close()]);
  await folder.remove();
});

const attempt = (to: MariaDb, ...more: string[]) =>
  runAs({ ...account, environment: { DIALMARK_REGISTER_DB_PASSWORD_FILE: folder.file('password') } }, [
    ...[
      '--register-api-url',
      sandbox.url,
      '--database',
      'pbx',
      '--port',
      String(to.port),
      '--user',
      'helper',
    ],
    ...['--dry-run', ...more],
  ]);

describe('a database with TLS', () => {
  it('is reached by its name with its authority', async () => {
    const ended = await attempt(server, '--host', 'localhost', '--tls-ca', local.certificate);
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('Nothing was written (--dry-run)') });
  });

  it.each([
    [
      'in plain text, where the server demands TLS',
      () => attempt(server, '--host', 'localhost'),
      'cannot be opened',
    ],
    ['by an unknown authority', () => attempt(server, '--host', 'localhost', '--tls'), 'cannot be opened'],
    [
      'under a name that its certificate does not have',
      () => attempt(impostor, '--host', 'localhost', '--tls-ca', other.certificate),
      'cannot be opened',
    ],
    [
      'by its address, which no certificate is checked for',
      () => attempt(server, '--host', '127.0.0.1', '--tls-ca', local.certificate),
      'the name in its certificate',
    ],
  ])('is not reached %s', async (_, run, reason) => {
    expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining(reason) });
  });
});
