/** A real MariaDB of its own for a test: fresh data folder, free port, gone afterwards. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import mysql, { type Connection } from 'mysql2/promise';
import { freePort } from '../../../testing/servers/free-port.ts';
import type { Certificate } from './certificate.ts';

export interface MariaDb {
  port: number;
  socket: string;
  /** The server's root, without a password: the server is this test's own. */
  connect(database?: string): Promise<Connection>;
  stop(): Promise<void>;
}

/** Debian keeps the server outside a plain user's PATH. */
const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin', '/sbin'];

function findBinary(...names: string[]): string {
  for (const name of names)
    for (const folder of folders) {
      const file = path.join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {}
    }
  throw new Error(
    `this test runs a real MariaDB and finds no ${names.join(' or ')}: apt-get install mariadb-server (Debian, Ubuntu)`,
  );
}

/** @param tls certificate and key to offer TLS with; without them it offers none. */
export async function startMariaDb(tls?: Certificate): Promise<MariaDb> {
  const server = findBinary('mariadbd', 'mysqld');
  const install = findBinary('mariadb-install-db', 'mysql_install_db');
  const folder = await mkdtemp(path.join(tmpdir(), 'dialmark-mariadb-'));
  const data = path.join(folder, 'data');
  const socket = path.join(folder, 'server.sock');
  const common = [
    '--no-defaults',
    `--datadir=${data}`,
    '--innodb-log-file-size=4M',
    ...(process.getuid?.() === 0 ? [`--user=${userInfo().username}`] : []),
  ];
  // Two servers that are set up at the same moment take each other's temporary tables away in a shared /tmp.
  const env = { ...process.env, TMPDIR: folder };
  let running: ChildProcess | undefined;
  const stop = async () => {
    if (running !== undefined && running.exitCode === null && running.signalCode === null) {
      const gone = new Promise((resolve) => running?.once('exit', resolve));
      running.kill('SIGTERM');
      await gone;
    }
    process.off('exit', reap);
    await rm(folder, { recursive: true, force: true });
  };
  const reap = () => void running?.kill('SIGKILL');
  process.on('exit', reap);
  let port: number;
  try {
    await promisify(execFile)(
      install,
      [...common, '--auth-root-authentication-method=normal', '--skip-test-db'],
      { env },
    );
    // Only now: setting up takes seconds, in which somebody else may take a free port.
    port = await freePort();
    running = spawn(
      server,
      [
        ...common,
        `--socket=${socket}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        '--skip-name-resolve',
        `--pid-file=${path.join(folder, 'pid')}`,
        '--innodb-buffer-pool-size=16M',
        '--innodb-flush-log-at-trx-commit=0',
        '--innodb-doublewrite=0',
        // As many PBXs run it: no strict mode, so that only our own session's keeps a key from being cut.
        '--sql-mode=',
        ...(tls === undefined ? [] : [`--ssl-cert=${tls.certificate}`, `--ssl-key=${tls.key}`]),
      ],
      { stdio: ['ignore', 'ignore', 'pipe'], env },
    );
    await ready(running);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    port,
    socket,
    connect: (database) =>
      mysql.createConnection({
        socketPath: socket,
        user: 'root',
        ...(database === undefined ? {} : { database }),
      }),
    stop,
  };
}

function ready(running: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    running.stderr!.on('data', (chunk) => {
      output += chunk;
      if (output.includes('ready for connections')) resolve();
    });
    running.once('error', reject);
    running.once('exit', (code) => reject(new Error(`MariaDB exited with ${code}:\n${output}`)));
  });
}
