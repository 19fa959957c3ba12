/** The command as a process: on a real terminal, and in a script. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Connection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../sandbox/service.ts';
import { type TemporaryFolder, temporaryFolder } from '../testing/temporary-folder.ts';
import { type MariaDb, startMariaDb } from './testing/mariadb.ts';
import { createPbxDatabase } from './testing/pbx-database.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const account = { email: 'admin@harbor.example', password: 'n0t-över-the-shoulder' };

let sandbox: Sandbox;
let server: MariaDb;
let database: Connection;
let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
  [sandbox, server] = await Promise.all([startSandbox({ port: 0, account }), startMariaDb()]);
  database = await server.connect();
  await createPbxDatabase(database);
});
afterAll(async () => {
  await database?.end();
  await Promise.all([sandbox?.close(), server?.stop()]);
  await folder.remove();
});

const args = () => [
  ...['--database', 'pbx', '--socket', server.socket, '--user', 'root'],
  ...['--backup-folder', folder.file('backups'), '--register-api-url', sandbox.url],
];
const command = (...more: string[]) => ['--import', 'tsx', 'registration/main.ts', ...more];

interface Running {
  process: ChildProcessWithoutNullStreams;
  output(): string;
  /** Resolves when the output contains the text. */
  until(text: string): Promise<void>;
  exit: Promise<number | null>;
}

function watch(child: ChildProcessWithoutNullStreams): Running {
  let output = '';
  const waiting: { text: string; resolve: () => void }[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
      for (const { text, resolve } of waiting) if (output.includes(text)) resolve();
    });
  // `close`, not `exit`: output may still be on its way when the process is gone.
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    process: child,
    output: () => output,
    exit,
    until: (text) =>
      Promise.race([
        new Promise<void>((resolve) => {
          waiting.push({ text, resolve });
          if (output.includes(text)) resolve();
        }),
        exit.then((code) => {
          throw new Error(`ended with ${code} before it printed "${text}":\n${output}`);
        }),
      ]),
  };
}

/** `script` (util-linux) gives the command a terminal of its own. */
function onTerminal(...more: string[]): Running {
  const line = [process.execPath, ...command(...more)]
    .map((part) => `'${part.replaceAll("'", `'\\''`)}'`)
    .join(' ');
  return watch(
    spawn('script', ['-qec', line, '/dev/null'], { cwd: root, env: { ...process.env, TERM: 'xterm' } }),
  );
}

describe('npm run register', () => {
  it('asks on a terminal without echoing the password; takes corrections', async () => {
    const running = onTerminal(...args());
    await running.until('E-mail: ');
    running.process.stdin.write(`${account.email}\r`);
    await running.until('Password (not shown): ');
    running.process.stdin.write(`${account.password}xx`);
    running.process.stdin.write('\u007f\u007f\r');
    await running.until('Write this? [y/N] ');
    running.process.stdin.write('n\r');
    expect(await running.exit).toBe(1);
    expect(running.output()).toContain(account.email);
    expect(running.output()).not.toContain('n0t');
    expect(running.output()).not.toContain('over');
    const [rows] = await database.query('SELECT client_key FROM itc_register');
    expect(rows).toMatchObject([{ client_key: '' }]);
  });

  it('writes nothing when left by Ctrl-C at the password', async () => {
    const running = onTerminal(...args(), '--email', account.email);
    await running.until('Password (not shown): ');
    running.process.stdin.write('abc\u0003');
    expect(await running.exit).toBe(1);
    expect(running.output()).toContain('nothing was written');
  });

  it('writes for a script that gives the password on standard input', async () => {
    const running = watch(
      spawn(process.execPath, command(...args(), '--email', account.email, '--password-stdin', '--yes'), {
        cwd: root,
      }),
    );
    running.process.stdin.end(`${account.password}\nnot the password\n`);
    expect(await running.exit).toBe(0);
    expect(running.output()).toContain('Written and read back.');
    expect(running.output()).not.toContain('over-the-shoulder');
  });

  it.each([
    ['a reader that left', 'exec 3> >(exit); wait $!; exec "$@" >&3'],
    ['a full disk', 'exec "$@" > /dev/full'],
  ])('writes for a script whose output is lost to %s', async (_, script) => {
    await database.query("UPDATE itc_register SET client_key = ''");
    const line = [
      process.execPath,
      ...command(...args(), '--email', account.email, '--password-stdin', '--yes'),
    ];
    const running = watch(spawn('bash', ['-c', script, 'bash', ...line], { cwd: root }));
    running.process.stdin.end(`${account.password}\n`);
    expect(await running.exit).toBe(1);
    expect(running.output()).not.toContain('Unhandled');
    const [rows] = await database.query('SELECT client_key FROM itc_register');
    expect(rows).not.toMatchObject([{ client_key: '' }]);
  });

  it('fails on the password as an argument, which is an unknown option', async () => {
    const running = watch(spawn(process.execPath, command('--password', 'secret'), { cwd: root }));
    expect(await running.exit).toBe(2);
    expect(running.output()).not.toContain('secret');
  });

  it('fails on an option that is given twice before it reads or asks anything', async () => {
    const options = [...args(), '--database', 'other'];
    const running = watch(spawn(process.execPath, command(...options), { cwd: root }));
    const message = expect.stringContaining("option '--database <name>' was given twice");
    expect([await running.exit, running.output()]).toEqual([2, message]);
  });

  it.each([
    [['--register-api-url', 'register.example'], 'register.example'],
    [['--register-api-url', 'http://register.example'], '--allow-plaintext'],
  ])('fails on the address %j before it reads or asks anything', async (more, named) => {
    const options = ['--database', 'pbx', '--socket', '/no/such/socket', ...more];
    const running = watch(spawn(process.execPath, command(...options), { cwd: root }));
    expect([await running.exit, running.output()]).toEqual([1, expect.stringContaining(named)]);
  });
});
