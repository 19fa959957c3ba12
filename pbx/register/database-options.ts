/** How to reach the PBX's database. Its password comes from a file or a prompt, never from the command line. */
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { ConnectionOptions, SslOptions } from 'mysql2/promise';
import { RegisterError } from './outcome.ts';
import type { Terminal } from './terminal.ts';

export interface DatabaseFlags {
  defaultsFile?: string;
  host?: string;
  port?: number;
  socket?: string;
  user?: string;
  database?: string;
  askDatabasePassword?: boolean;
  tls?: boolean;
  tlsCa?: string;
}

/**
 * Flags win over the defaults file, as in the database's own tools. Password: DIALMARK_PBX_DB_PASSWORD_FILE, then the
 * prompt where asked for, then the defaults file, then none (a socket often needs none).
 * @throws RegisterError badOption, badDefaultsFile.
 */
export async function databaseOptions(
  flags: DatabaseFlags,
  environment: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<{ options: ConnectionOptions; place: string }> {
  const file = flags.defaultsFile === undefined ? {} : await readDefaultsFile(flags.defaultsFile);
  const database = flags.database ?? file.database;
  if (database === undefined)
    throw new RegisterError(
      'badOption',
      'which database? Give --database NAME, or --record FILE for a JSON file',
    );
  // A host on the command line means the network, though the file names a socket.
  const socket =
    flags.socket ?? (flags.host === undefined && flags.port === undefined ? file.socket : undefined);
  const host = flags.host ?? file.host ?? '127.0.0.1';
  const port = flags.port ?? readPort(file.port, flags.defaultsFile) ?? 3306;
  const user = flags.user ?? file.user ?? environment.USER ?? 'root';
  const password = await databasePassword(flags, file.password, environment, terminal);
  const ca = flags.tlsCa ?? file['ssl-ca'];
  const tls = flags.tls === true || ca !== undefined;
  if (tls && socket === undefined && isIP(host) !== 0)
    throw new RegisterError(
      'badOption',
      `with TLS, give the server by the name in its certificate: --host NAME, not ${host}`,
    );
  const ssl: SslOptions = {
    rejectUnauthorized: true,
    // Off by default in mysql2: any certificate of the authority would do.
    verifyIdentity: true,
    ...(ca === undefined ? {} : { ca: await readOption('--tls-ca', ca) }),
  };
  return {
    place: `database ${database} ${socket === undefined ? `at ${host}:${port}` : `on ${socket}`}`,
    options: {
      user,
      database,
      ...(password === undefined ? {} : { password }),
      ...(socket === undefined ? { host, port } : { socketPath: socket }),
      ...(tls && socket === undefined ? { ssl } : {}),
    },
  };
}

async function databasePassword(
  flags: DatabaseFlags,
  inFile: string | undefined,
  environment: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<string | undefined> {
  const passwordFile = environment.DIALMARK_PBX_DB_PASSWORD_FILE;
  if (passwordFile !== undefined && passwordFile !== '')
    return (await readOption('DIALMARK_PBX_DB_PASSWORD_FILE', passwordFile)).replace(/\r?\n$/, '');
  if (flags.askDatabasePassword === true) {
    if (!terminal.interactive)
      throw new RegisterError(
        'badOption',
        '--ask-database-password needs a terminal; use DIALMARK_PBX_DB_PASSWORD_FILE',
      );
    return terminal.askHidden('Database password: ');
  }
  return inFile;
}

async function readOption(name: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new RegisterError('badOption', `${name}: ${error.message}`);
  });
}

function readPort(text: string | undefined, file: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536) return Number(text);
  throw new RegisterError('badDefaultsFile', `${file}: port: expected 1 to 65535, got "${text}"`);
}

const known = ['host', 'port', 'socket', 'user', 'password', 'database', 'ssl-ca'] as const;
type Defaults = Partial<Record<(typeof known)[number], string>>;

/** The `[client]`, `[mysql]` and `[mariadb]` groups of an option file as the database's own tools read it. */
export async function readDefaultsFile(file: string): Promise<Defaults> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new RegisterError('badDefaultsFile', `--defaults-file: ${error.message}`);
  });
  const defaults: Defaults = {};
  let ours = false;
  for (const line of text.split(/\r?\n/)) {
    const group = /^\s*\[([^\]]*)\]\s*$/.exec(line);
    if (group) ours = /^(client|mysql|mariadb|client-mariadb|mariadb-client)$/.test(group[1]!.trim());
    const option = /^\s*([A-Za-z][\w-]*)\s*=\s*(.*?)\s*$/.exec(line);
    if (!ours || group || !option) continue;
    const name = option[1]!.replaceAll('_', '-').toLowerCase();
    if ((known as readonly string[]).includes(name)) defaults[name as keyof Defaults] = readValue(option[2]!);
  }
  return defaults;
}

const escapes: Record<string, string> = { b: '\b', t: '\t', n: '\n', r: '\r', s: ' ', '\\': '\\' };

/** Quotes keep what stands between them; outside, ` #` starts a comment; `\s` and the like are characters. */
function readValue(raw: string): string {
  const inQuotes = /^(["'])(.*)\1\s*(?:#.*)?$/.exec(raw);
  const value = inQuotes ? inQuotes[2]! : raw.replace(/\s+#.*$/, '');
  return value.replace(/\\([btnrs\\])/g, (_, letter: string) => escapes[letter]!);
}
