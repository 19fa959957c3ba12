/** How to reach the PBX's database. Its password comes from a file or a prompt, never from the command line. */
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'mysql2/promise';
import { hostInUrl, isLoopback } from '../shared/address.ts';
import { RegistrationError } from '../shared/registration/registration-error.ts';
import type { Terminal } from './terminal.ts';

export interface DatabaseFlags {
  database: string;
  host: string;
  port: number;
  socket?: string;
  user?: string;
  askDatabasePassword?: boolean;
  tls?: boolean;
  tlsCa?: string;
  databasePlaintext?: boolean;
}

/**
 * Uses TLS to another machine, unless an option asks for plain text.
 * @returns mysql2's options, and the database's name for messages.
 * @throws RegistrationError.
 */
export async function databaseOptions(
  flags: DatabaseFlags,
  environment: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<{ options: ConnectionOptions; place: string }> {
  const { database, host, port, socket, tlsCa } = flags;
  const login = {
    database,
    user: flags.user ?? environment.USER ?? 'root',
    password: await databasePassword(flags, environment, terminal),
  };
  if (socket !== undefined)
    return { place: `database ${database} on ${socket}`, options: { ...login, socketPath: socket } };
  const place = `database ${database} at ${host}:${port}`;
  const isTlsAskedFor = flags.tls === true || tlsCa !== undefined;
  if (isTlsAskedFor && flags.databasePlaintext)
    throw new RegistrationError('--database-plaintext: expected it without --tls and --tls-ca');
  const address = `http://${hostInUrl(host)}`;
  if (!URL.canParse(address))
    throw new RegistrationError(`--host: expected a name or an IP address, without the port; got "${host}"`);
  if (!isTlsAskedFor && (isLoopback(address) || flags.databasePlaintext))
    return { place, options: { ...login, host, port } };
  if (isIP(host) !== 0)
    throw new RegistrationError(
      `with TLS, give the server by the name in its certificate: --host NAME, not ${host}; ` +
        'or send the keys unencrypted with --database-plaintext',
    );
  const ssl = {
    rejectUnauthorized: true,
    // In mysql2 this is off by default. It would then accept any certificate of the authority.
    verifyIdentity: true,
    ...(tlsCa === undefined ? {} : { ca: await readOption('--tls-ca', tlsCa) }),
  };
  return { place, options: { ...login, host, port, ssl } };
}

/** The password; empty without a file and without a prompt. A socket often needs none. */
async function databasePassword(
  flags: DatabaseFlags,
  environment: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<string> {
  const file = environment.DIALMARK_REGISTER_DB_PASSWORD_FILE;
  if (file) return (await readOption('DIALMARK_REGISTER_DB_PASSWORD_FILE', file)).replace(/\r?\n$/, '');
  if (!flags.askDatabasePassword) return '';
  if (!terminal.isInteractive)
    throw new RegistrationError(
      '--ask-database-password needs a terminal; use DIALMARK_REGISTER_DB_PASSWORD_FILE',
    );
  return terminal.askHidden('Database password: ');
}

async function readOption(name: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new RegistrationError(`${name}: ${error.message}`);
  });
}
