/** The command line of `npm run register`: options in, one of the exit codes out. */
import path from 'node:path';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { readRegisterAddress } from '../shared/service/registration.ts';
import { type DatabaseFlags, databaseOptions } from './database-options.ts';
import { DatabaseRecord } from './database-record.ts';
import { defaultMapping, readMapping } from './mapping.ts';
import { exitCodeOf, exitCodes, RegisterError } from './outcome.ts';
import { type RegisterFlags, type RegisterResult, register } from './register.ts';
import type { Terminal } from './terminal.ts';

interface Flags extends DatabaseFlags, RegisterFlags {
  registerApiUrl?: string;
  mapping?: string;
}

export interface CommandContext {
  terminal: Terminal;
  environment: NodeJS.ProcessEnv;
  fetch: typeof fetch;
  now: () => Date;
}

/** @param args without node and the script. @returns the process's exit code. Never throws. */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { terminal, environment } = context;
  // Known before the options are parsed, so that a wrong option is answered in the form asked for.
  const json = args.includes('--json');
  let record: DatabaseRecord | undefined;
  try {
    const flags = parseFlags(args, terminal);
    const registerApiUrl = flags.registerApiUrl ?? environment.DIALMARK_REGISTER_API_URL;
    if (registerApiUrl === undefined)
      throw new RegisterError(
        'badOption',
        'where is the registration API? Give --register-api-url or DIALMARK_REGISTER_API_URL',
      );
    // Before anything is read or asked for.
    const address = readRegisterAddress({ registerApiUrl, allowPlaintext: flags.allowPlaintext === true });
    if (!address.ok)
      throw new RegisterError(address.error.code, `${address.error.message} (--register-api-url)`);
    const mapping = flags.mapping === undefined ? defaultMapping : await readMapping(flags.mapping);
    const { options, place } = await databaseOptions(flags, environment, terminal);
    record = await DatabaseRecord.open(options, mapping, place);
    const result = await register({ ...flags, ...context, registerApiUrl, record });
    terminal.out(json ? JSON.stringify(result) : sentenceOf(result));
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    return reportFailure(error, json, terminal);
  } finally {
    await record?.close();
  }
}

function sentenceOf({ status, backup }: RegisterResult): string {
  const sentences: Record<RegisterResult['status'], string> = {
    written: `Written and read back. To restore what was there before, run ${backup} in the database: mysql … < ${backup}
Now clear the browser's cookies and site data of the PBX's address: the extension's page for the registration does that for this address alone.`,
    nothingToChange: 'Nothing to change: the record is as it must be.',
    wouldChange: 'Nothing was written (--dry-run).',
  };
  return sentences[status];
}

function reportFailure(error: unknown, json: boolean, terminal: Terminal): number {
  const known = error instanceof RegisterError ? error : undefined;
  const { message } = error as Error;
  const code = error instanceof CommanderError ? 'badOption' : (known?.code ?? 'internal');
  const backup = known?.backup;
  if (json)
    terminal.out(
      JSON.stringify({
        status: 'failed',
        error: { code, message },
        ...(backup === undefined ? {} : { backup }),
      }),
    );
  // Commander has printed its own.
  if (!(error instanceof CommanderError))
    terminal.err(`register: ${known === undefined ? 'unexpected error: ' : ''}${message}`);
  if (backup !== undefined) terminal.err(`What was there before is in ${backup}`);
  return exitCodeOf[code];
}

const wholeNumber = (min: number, max: number) => (text: string) => {
  const value = Number(text);
  if (/^\d{1,10}$/.test(text) && value >= min && value <= max) return value;
  throw new InvalidArgumentError(`expected a whole number from ${min} to ${max}`);
};

/** @throws CommanderError, with exit code 0 where help was asked for. */
function parseFlags(args: readonly string[], terminal: Terminal): Flags {
  const id = wholeNumber(0, 2_147_483_647);
  return new Command('register')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    })
    .description(
      "Registers this PBX with the calling service by hand: logs the device in, writes the two keys, the registered flag and the consumer record into the PBX's registration record. Asks for e-mail and password; the password is never stored.",
    )
    .showHelpAfterError('(--help shows all options)')
    .option('--register-api-url <url>', 'base address of the registration API (or DIALMARK_REGISTER_API_URL)')
    .option('--email <address>', 'account at the service; asked for where missing')
    .option('--password-stdin', 'read the password from the first line of standard input')
    .option('--allow-plaintext', 'send the password over plain http to another machine')
    .requiredOption('--database <name>', 'database of the PBX')
    .option('--host <host>', 'database server', '127.0.0.1')
    .option('--port <port>', 'its port', wholeNumber(1, 65_535), 3306)
    .option('--socket <path>', 'its socket, instead of host and port')
    .option('--user <name>', 'database user (default: your own name)')
    .option(
      '--ask-database-password',
      'ask for the database password, unless DIALMARK_REGISTER_DB_PASSWORD_FILE names a file that holds it',
    )
    .option(
      '--tls',
      'encrypt the connection to the database and check its certificate; --host is then a name (always, to another machine)',
    )
    .option('--database-plaintext', 'reach a database on another machine without TLS')
    .option('--tls-ca <file>', 'certificate authority of the database, PEM; implies --tls')
    .option('--mapping <file>', 'JSON file with other table and column names')
    .option('--consumer-distro <id>', 'id_distro of the consumer record', id, 1)
    .option('--consumer-service <id>', 'id_service of the consumer record', id, 1)
    .option('--consumer-name <name>', 'name_service of the consumer record', 'intercomunexao')
    .option(
      '--backup-folder <folder>',
      'where SQL that restores the record is saved',
      path.join('data', 'registration-backups'),
    )
    .option('--dry-run', 'log in and show what would change, write nothing')
    .option('--yes', 'write without asking')
    .option('--json', 'print the result as one JSON object on stdout, keys masked')
    .addHelpText(
      'after',
      `\nExit codes:\n${Object.entries(exitCodes)
        .map(([code, meaning]) => `  ${code.padStart(2)}  ${meaning}`)
        .join('\n')}`,
    )
    .parse(args, { from: 'user' })
    .opts<Flags>();
}
