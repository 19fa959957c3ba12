/** A real MariaDB of its own for a test: fresh data folder, free port, removed afterwards. */
import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import mysql, { type Connection } from 'mysql2/promise';
import type { Child } from '../../testing/child.ts';
import { freePort } from '../../testing/servers/free-port.ts';
import type { Certificate } from '../../testing/servers/make-certificate.ts';
import { startServer } from '../../testing/servers/start-server.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

export interface MariaDb {
  port: number;
  socket: string;
  /** Connects as root, which has no password here. */
  connect(): Promise<Connection>;
  stop(): Promise<void>;
}

/** @param tls the server's certificate and key. Without them, the server offers no TLS. */
export async function startMariaDb(tls?: Certificate): Promise<MariaDb> {
  const folder = await temporaryFolder('mariadb');
  const socket = folder.file('server.sock');
  const common = [
    '--no-defaults',
    `--datadir=${folder.file('data')}`,
    '--innodb-log-file-size=4M',
    ...(process.getuid?.() === 0 ? [`--user=${userInfo().username}`] : []),
  ];
  const environment = {
    // On Debian, the server's program is not in the PATH of a plain user.
    PATH: [process.env.PATH, '/usr/sbin', '/usr/local/sbin'].join(path.delimiter),
    // Two servers that are set up at one moment would delete each other's temporary tables in a shared /tmp.
    TMPDIR: folder.path,
  };
  let server: Child;
  let port: number;
  try {
    const install = [...common, '--auth-root-authentication-method=normal', '--skip-test-db'];
    await promisify(execFile)('mariadb-install-db', install, { env: { ...process.env, ...environment } });
    // After the set-up, which takes seconds. In that time another process could take a free port.
    port = await freePort();
    const options = [
      ...[`--socket=${socket}`, `--port=${port}`, '--bind-address=127.0.0.1', '--skip-name-resolve'],
      ...[`--pid-file=${folder.file('pid')}`, '--innodb-buffer-pool-size=16M'],
      ...['--innodb-flush-log-at-trx-commit=0', '--innodb-doublewrite=0'],
      // Many PBXs have no strict mode either. Then only our own session's strict mode keeps a key from being cut.
      '--sql-mode=',
      ...(tls === undefined ? [] : [`--ssl-cert=${tls.certificate}`, `--ssl-key=${tls.key}`]),
    ];
    server = await startServer(['mariadbd', ...common, ...options], {
      ready: 'ready for connections',
      debian: 'mariadb-server',
      environment,
    });
  } catch (error) {
    await folder.remove();
    throw error;
  }
  return {
    port,
    socket,
    connect: () => mysql.createConnection({ socketPath: socket, user: 'root' }),
    stop: async () => {
      await server.stop();
      await folder.remove();
    },
  };
}
