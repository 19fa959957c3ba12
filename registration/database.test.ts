/** The registration helper against a real MariaDB and the sandbox's login. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import mysql, { type Connection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../sandbox/service.ts';
import { type TemporaryFolder, temporaryFolder } from '../testing/temporary-folder.ts';
import { type MariaDb, startMariaDb } from './testing/mariadb.ts';
import { type Ended, runAs, type ScriptedPerson } from './testing/run-as.ts';

const device = '8f3e1c5a-0b7d-4a6e-9c2f-1d5b7a9e3c10';
const account = { email: 'admin@harbor.example', password: 'p4ss-"wörd"-$never-shown' };
const person: ScriptedPerson = { ...account, answer: 'y' };

let server: MariaDb;
let database: Connection;
let sandbox: Sandbox;
let folder: TemporaryFolder;
let proxy: CuttingProxy | undefined;
/** All output of a test's runs. */
let output = '';

beforeAll(async () => {
  [server, sandbox] = await Promise.all([startMariaDb(), startSandbox({ port: 0, account })]);
  database = await server.connect();
  await database.query('CREATE DATABASE pbx');
  await database.query('USE pbx');
  await database.query("CREATE USER helper@'%' IDENTIFIED BY 'db-pa#ss'");
  await database.query("GRANT SELECT, INSERT, UPDATE, DELETE ON pbx.* TO helper@'%'");
});
afterAll(async () => {
  await database?.end();
  await Promise.all([server?.stop(), sandbox?.close()]);
});

beforeEach(async () => {
  folder = await temporaryFolder();
  output = '';
  await database.query('DROP TABLE IF EXISTS itc_register, itc_consumers');
  await database.query(`CREATE TABLE itc_register (uuid varchar(36) NOT NULL PRIMARY KEY, client_key varchar(60) NOT NULL,
    api_key varchar(72) NOT NULL, created datetime NOT NULL, registered_itc boolean DEFAULT false, noregister boolean DEFAULT false)`);
  await database.query(
    'CREATE TABLE itc_consumers (id_distro int NOT NULL, id_service int NOT NULL, name_service varchar(128) NOT NULL)',
  );
  await addRow(device);
});
afterEach(async () => {
  // Every run of every test: neither the password nor the token is printed or stored.
  const kept = await Promise.all(
    (await readdir(folder.path, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => readFile(path.join(entry.parentPath, entry.name), 'utf8')),
  );
  for (const text of [output, ...kept]) {
    expect(text).not.toContain('never-shown');
    expect(text).not.toMatch(/eyJ[\w-]+\./);
  }
  await proxy?.close();
  proxy = undefined;
  await folder.remove();
});

const addRow = (uuid: string) =>
  database.execute('INSERT INTO itc_register VALUES (?, ?, ?, ?, 0, 0)', [
    uuid,
    'old-client-key',
    '',
    '2026-01-01 00:00:00',
  ]);

async function tables() {
  const [register] = await database.query<RowDataPacket[]>(
    'SELECT uuid, client_key, api_key, registered_itc, noregister FROM itc_register ORDER BY uuid',
  );
  const [consumers] = await database.query<RowDataPacket[]>('SELECT * FROM itc_consumers');
  return { register: register.map((row) => ({ ...row })), consumers: consumers.map((row) => ({ ...row })) };
}

const backups = () => folder.file('backups');
const connection = (port = server.port) => [
  ...['--database', 'pbx', '--host', '127.0.0.1', '--port', String(port), '--user', 'root'],
  ...['--backup-folder', backups()],
];

/** Runs the saved SQL under a server's own modes. */
async function restore(backup: string, sqlMode = ''): Promise<void> {
  const options = { socketPath: server.socket, user: 'root', database: 'pbx', multipleStatements: true };
  const client = await mysql.createConnection({ ...options, charset: 'utf8mb4' });
  await client.query('SET SESSION sql_mode = ?', [sqlMode]);
  await client.query(await readFile(backup, 'utf8'));
  await client.end();
}

/** The file that a run named. */
const backupOf = ({ out, err }: Ended): string => /(?:< |is in )(\S+\.sql)/.exec(out + err)![1]!;

async function run(who: ScriptedPerson, ...args: string[]): Promise<Ended> {
  const ended = await runAs(who, args);
  output += ended.out + ended.err;
  return ended;
}
const register = (who: ScriptedPerson = person, ...more: string[]) =>
  run(who, '--register-api-url', sandbox.url, ...connection(), ...more);
const registerAt = (url: string) => run(person, '--register-api-url', url, ...connection());

async function through(cut: Parameters<typeof startCuttingProxy>[1]): Promise<Ended> {
  proxy = await startCuttingProxy(server.port, cut);
  return run(person, '--register-api-url', sandbox.url, ...connection(proxy.port));
}

describe('register', () => {
  it('writes keys, flag, consumer after showing them masked for a yes', async () => {
    const ended = await register();
    expect(ended).toMatchObject({ code: 0 });
    const { register: rows, consumers } = await tables();
    expect(rows).toEqual([
      {
        uuid: device,
        client_key: expect.stringMatching(/^\$2a\$10\$.{41}\/$/),
        api_key: expect.stringMatching(/^.{43}\/\$1\$.{20}$/),
        registered_itc: 1,
        noregister: 0,
      },
    ]);
    expect(consumers).toEqual([{ id_distro: 1, id_service: 1, name_service: 'intercomunexao' }]);
    expect(ended.out).toContain('client_key: old-… (14 characters) -> $2a$… (49 characters)');
    expect(ended.out).toContain('api_key: (empty) -> ');
    expect(ended.out).toContain('registered_itc: 0 -> 1');
    expect(ended.out).toContain('itc_consumers: (no such record) -> 1, 1, "intercomunexao"');
    expect(output).not.toContain(rows[0]!.client_key);
    expect(output).not.toContain(rows[0]!.api_key);
  });

  it('saves what was there in a file that only its owner can read', async () => {
    const backup = backupOf(await register(person));
    expect((await stat(backup)).mode & 0o777).toBe(0o600);
    expect((await stat(backups())).mode & 0o777).toBe(0o700);
    const kept = await readFile(backup, 'utf8');
    expect(kept).toContain(device);
    expect(kept).toContain('old-client-key');
    expect(kept).not.toContain('$2a$10$');
  });

  it('has nothing to change on a second run, nor a second consumer to add', async () => {
    await register();
    const after = await tables();
    const again = await register({ ...account });
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to change') });
    expect(again.out).not.toContain('->');
    expect(await tables()).toEqual(after);
    expect(await readdir(backups())).toHaveLength(1);
  });

  it('writes once when run twice at the same moment', async () => {
    const ended = await Promise.all([register(person), register(person)]);
    expect(ended.filter(({ out }) => out.includes('Written and read back.'))).toHaveLength(1);
    for (const { code, out, err } of ended)
      expect(code === 0 ? out : err).toMatch(/Written|Nothing to change|changed just now/);
    expect((await tables()).consumers).toHaveLength(1);
  });

  it('completes a record that the well-known instructions left half written', async () => {
    await database.query(
      "UPDATE itc_register SET client_key = 'x' and api_key = 'y' and registered_itc = '1'",
    );
    await database.query("INSERT INTO itc_consumers VALUES (1, 1, 'intercomunexao')");
    expect((await register()).code).toBe(0);
    const { register: rows, consumers } = await tables();
    expect(rows[0]).toMatchObject({ client_key: expect.stringMatching(/^\$2a/), registered_itc: 1 });
    expect(consumers).toHaveLength(1);
  });

  it('with --dry-run shows the same without writing even a backup', async () => {
    const before = await tables();
    const ended = await register({ ...account }, '--dry-run');
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('Nothing was written (--dry-run)') });
    expect(ended.out.match(/\w+(?=: .* -> )/g)).toEqual([
      'client_key',
      'api_key',
      'registered_itc',
      'itc_consumers',
    ]);
    expect(await tables()).toEqual(before);
    await expect(readdir(backups())).rejects.toThrow('ENOENT');
  });

  it('lists the services of the account, each once', async () => {
    const ended = await register({ ...account }, '--dry-run');
    expect(ended.out.match(/(?<=Service: ).*/g)).toEqual(['intercomunexao', 'recordings']);
  });

  it('writes nothing on any answer but yes', async () => {
    const before = await tables();
    for (const answer of ['', 'n', 'maybe']) expect((await register({ ...account, answer })).code).toBe(1);
    expect(await tables()).toEqual(before);
  });

  it('works without a terminal, the password on standard input', async () => {
    const piped = { piped: account.password };
    expect((await register(piped, '--password-stdin', '--yes')).err).toContain('--email');
    expect((await register(piped, '--password-stdin', '--email', account.email)).err).toContain('--yes');
    const ended = await register(piped, '--password-stdin', '--yes', '--email', account.email);
    expect(ended.out).toContain('Written and read back.');
  });

  it('reads a flag kept as bits, under names other than the default', async () => {
    await database.query('DROP TABLE itc_register');
    await database.query(
      'CREATE TABLE device (id char(36), `key` text, secret varchar(200), done bit(1) NOT NULL DEFAULT 0)',
    );
    await database.execute('INSERT INTO device VALUES (?, NULL, NULL, 0)', [device]);
    const names = [
      'itc_register=device',
      'uuid=id',
      'client_key=key',
      'api_key=secret',
      'registered_itc=done',
    ];
    const renamed = names.flatMap((name) => ['--name', name]);
    const backup = backupOf(await register(person, ...renamed));
    const read = async () =>
      (await database.query<RowDataPacket[]>('SELECT *, done + 0 AS flag FROM device'))[0][0]!;
    expect(await read()).toMatchObject({ key: expect.stringMatching(/^\$2a/), flag: 1 });
    expect((await register(person, ...renamed)).out).toContain('Nothing to change');
    await restore(backup);
    expect(await read()).toMatchObject({ key: null, secret: null, flag: 0 });
    await database.query('DROP TABLE device');
  });
});

describe('the backup', () => {
  it.each(['', 'NO_BACKSLASH_ESCAPES', 'ANSI', 'TRADITIONAL'])(
    'restores every character of what was there under sql_mode "%s"',
    async (sqlMode) => {
      await database.execute('UPDATE itc_register SET client_key = ?, api_key = ?', [
        `it's "old"; DROP TABLE x -- \\`,
        'a\\b\n/$1$/ção\u{1F511}',
      ]);
      const before = await tables();
      const backup = backupOf(await register(person));
      await restore(backup, sqlMode);
      expect(await tables()).toEqual(before);
    },
  );

  it('takes back a consumer that was all there was to add', async () => {
    await register();
    await database.query('DELETE FROM itc_consumers');
    const backup = backupOf(await register(person));
    expect((await tables()).consumers).toHaveLength(1);
    await restore(backup);
    expect(await tables()).toMatchObject({ consumers: [], register: [{ registered_itc: 1 }] });
  });

  it('keeps a consumer that was there before', async () => {
    await database.query("INSERT INTO itc_consumers VALUES (1, 1, 'intercomunexao'), (1, 2, 'other')");
    const before = await tables();
    const backup = backupOf(await register(person));
    await restore(backup);
    expect(await tables()).toEqual(before);
  });
});

describe('nothing is written when', () => {
  /** Before and after the attempt the tables are the same, and no backup is left. */
  async function refused(attempt: () => Promise<Ended>, reason: string, code = 1): Promise<string> {
    const before = await tables();
    const ended = await attempt();
    expect(ended).toMatchObject({ code, err: expect.stringContaining(reason) });
    expect(await tables()).toEqual(before);
    expect(await readdir(backups()).catch(() => [])).toEqual([]);
    return ended.err;
  }

  it('the password is wrong', () =>
    refused(
      () => register({ ...person, password: 'never-shown either' }),
      'does not accept this e-mail address and password',
    ));

  it('the service is down', async () => {
    const gone = await startSandbox({ port: 0 });
    await gone.close();
    await refused(() => registerAt(gone.url), 'cannot be reached');
  });

  it('the address is not the service', () =>
    refused(() => registerAt(`${sandbox.url}/elsewhere`), 'nothing answers at'));

  it('a key is longer than its column, though the server would cut it', async () => {
    await database.query('ALTER TABLE itc_register MODIFY api_key varchar(40) NOT NULL');
    const message = await refused(() => register(person), 'nothing was written');
    expect(message).toMatch(/itc_register\.api_key has 67 characters and the column holds 40/);
  });

  it('the register has two rows', async () => {
    await addRow('00000000-0000-4000-8000-000000000000');
    const message = await refused(() => register(person), 'has 2 rows');
    expect(message).toContain('has 2 rows');
    expect(message).toContain(device);
  });

  it('the register has no row', async () => {
    await database.query('DELETE FROM itc_register');
    await refused(() => register(person), 'is empty');
  });

  it('the device has no UUID, before the password is asked for', async () => {
    await database.query("UPDATE itc_register SET uuid = ''");
    await refused(() => register({}), 'no UUID');
  });

  it.each(['client_keys=x', 'itc_register=a; DROP TABLE b', 'nonsense'])('a name is %s', async (wrong) => {
    await refused(() => register(person, '--name', wrong), 'expected OURS=THEIRS', 2);
  });

  it('a table or a column is missing, with its name', async () => {
    await database.query('ALTER TABLE itc_register CHANGE api_key token varchar(72)');
    const column = await register(person);
    expect(column).toMatchObject({ code: 1, err: expect.stringContaining('has no column api_key') });
    await database.query('DROP TABLE itc_consumers');
    await database.query('ALTER TABLE itc_register CHANGE token api_key varchar(72)');
    const table = await register(person);
    expect(table).toMatchObject({ code: 1, err: expect.stringContaining('no table itc_consumers') });
  });

  it('a table cannot be written in a transaction', async () => {
    await database.query('ALTER TABLE itc_consumers ENGINE=MyISAM');
    const message = await refused(() => register(person), 'cannot be written in a transaction');
    expect(message).toContain('ALTER TABLE itc_consumers ENGINE=InnoDB');
  });

  it('a consumer with these ids has another name', async () => {
    await database.query("INSERT INTO itc_consumers VALUES (1, 1, 'elsewhere')");
    await refused(() => register(person), 'consumer record 1, 1 already');
    expect((await register(person, '--consumer-name', 'elsewhere')).out).toContain('Written');
  });

  it('a column gives back something else than was written', async () => {
    await database.query(
      'CREATE TRIGGER upper_key BEFORE UPDATE ON itc_register FOR EACH ROW SET NEW.client_key = UPPER(NEW.client_key)',
    );
    const message = await refused(() => register(person), 'nothing was changed');
    expect(message).toContain('gives back something else');
  });

  it('the record changes after the login, before the write', async () => {
    const ended = await run(
      {
        ...person,
        fetch: async (...args) => {
          const response = await fetch(...args);
          await database.query("UPDATE itc_register SET client_key = 'written by the PBX'");
          return response;
        },
      },
      '--register-api-url',
      sandbox.url,
      ...connection(),
    );
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('changed just now') });
    expect((await tables()).register[0]).toMatchObject({
      client_key: 'written by the PBX',
      registered_itc: 0,
    });
  });

  it.each([
    ['before the first write', 'UPDATE'],
    ['between the two writes', 'INSERT INTO'],
    ['before the commit', 'COMMIT'],
  ])('the connection is cut %s', async (_, at) => {
    await refused(() => through({ at, lose: 'request' }), 'nothing was changed');
    expect(proxy!.cuts()).toBe(1);
    expect(proxy!.seen.some((statement) => statement.startsWith('UPDATE'))).toBe(true);
  });

  it('the connection is cut while the first write is answered', () =>
    refused(() => through({ at: 'UPDATE', lose: 'answer' }), 'nothing was changed'));
});

describe('when the answer to the commit is lost', () => {
  it('reports the change as written when a second connection finds it', async () => {
    const ended = await through({ at: 'COMMIT', lose: 'answer' });
    expect(ended.out).toContain('Written and read back.');
    expect(proxy!.cuts()).toBe(1);
    expect(await tables()).toMatchObject({
      register: [{ registered_itc: 1 }],
      consumers: [{ id_service: 1 }],
    });
  });

  it('reports an unknown outcome with the backup kept when no second connection is possible', async () => {
    const ended = await through({ at: 'COMMIT', lose: 'answer', thenRefuse: true });
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('written or not') });
    expect(await readFile(backupOf(ended), 'utf8')).toContain(device);
    expect((await register(person)).out).toContain('Nothing to change');
  });
});

describe('the connection to the database', () => {
  const target = () => ['--register-api-url', sandbox.url, '--backup-folder', backups(), '--dry-run'];

  it('takes its password from a file or a prompt', async () => {
    const file = folder.file('password');
    await writeFile(file, 'db-pa#ss\n');
    const base = [...target(), '--database', 'pbx', '--port', String(server.port), '--user', 'helper'];
    const environment = { DIALMARK_REGISTER_DB_PASSWORD_FILE: file };
    expect((await run({ ...person, environment }, ...base)).code).toBe(0);
    const asked = await run({ ...person, databasePassword: 'db-pa#ss' }, ...base, '--ask-database-password');
    expect(asked.code).toBe(0);
    expect(asked.out + asked.err).not.toContain('db-pa#ss');
    expect((await run(person, ...base)).err).toContain('cannot be opened');
  });

  it('goes through a socket', async () => {
    const ended = await run(
      person,
      ...target(),
      '--database',
      'pbx',
      '--socket',
      server.socket,
      '--user',
      'root',
    );
    expect(ended.code).toBe(0);
  });

  it('fails where TLS is asked for from a server without it', async () => {
    const more = ['--database', 'pbx', '--port', String(server.port), '--user', 'root', '--tls'];
    const ended = await run(person, ...target(), '--host', 'localhost', ...more);
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('cannot be opened') });
  });

  it('reports a server that is down', async () => {
    proxy = await startCuttingProxy(server.port, { at: 'never', lose: 'request' });
    const { port } = proxy;
    await proxy.close();
    proxy = undefined;
    const ended = await run(person, '--register-api-url', sandbox.url, ...connection(port));
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('ECONNREFUSED') });
  });
});

/**
 * A TCP proxy that cuts the connection when it sees a statement: before the server gets it, or before its
 * answer returns.
 */

interface CuttingProxy {
  port: number;
  /** Statements seen on their way to the server, in order. */
  seen: string[];
  /** How often it cut. */
  cuts(): number;
  close(): Promise<void>;
}

interface Cut {
  /** Cuts at the first statement that starts so. */
  at: string;
  /** `request`: the server never gets it. `answer`: the server gets it, and its answer is lost. */
  lose: 'request' | 'answer';
  /** Whether it takes connections again after the cut. */
  thenRefuse?: boolean;
}

const statement = /(START TRANSACTION|SELECT|UPDATE|INSERT INTO|DELETE FROM|COMMIT|ROLLBACK)[^\0]*/i;

async function startCuttingProxy(targetPort: number, cut: Cut): Promise<CuttingProxy> {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  let cuts = 0;
  const server = createServer((client) => {
    if (cuts > 0 && cut.thenRefuse === true) {
      client.destroy();
      return;
    }
    const upstream = connect(targetPort, '127.0.0.1');
    let losing = false;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        if (!losing) end();
      });
    }
    client.on('data', (chunk) => {
      const found = statement.exec(chunk.toString('latin1'))?.[0];
      if (found !== undefined) seen.push(found);
      if (cuts === 0 && found?.startsWith(cut.at)) {
        cuts++;
        if (cut.lose === 'request') {
          end();
          return;
        }
        losing = true;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (losing) end();
      else client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    seen,
    cuts: () => cuts,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
