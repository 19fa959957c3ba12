/** The command line of `npm run register`. */
import path from 'node:path';
import { CommanderError, InvalidArgumentError } from 'commander';
import { readRegisterAddress } from '../shared/registration/login.ts';
import { type RecordNames, usualConsumer, usualNames } from '../shared/registration/record.ts';
import { RegistrationError } from '../shared/registration/registration-error.ts';
import { usageErrorCode } from '../shared/server/environment.ts';
import { StrictCommand } from '../shared/server/program.ts';
import { type DatabaseFlags, databaseOptions } from './database-options.ts';
import { DatabaseRecord } from './database-record.ts';
import { type RegisterFlags, register } from './register.ts';
import type { Terminal } from './terminal.ts';

interface Flags extends DatabaseFlags, RegisterFlags {
  name: RecordNames;
}

export interface CommandContext {
  terminal: Terminal;
  environment: NodeJS.ProcessEnv;
  fetch: typeof fetch;
}

/**
 * @param args without node and the script.
 * @returns the exit code: 0 if the record is right or was only shown, or after `--help`; 2 for options that
 * cannot be read; otherwise 1. Never throws.
 */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { terminal, environment } = context;
  let record: DatabaseRecord | undefined;
  try {
    const flags = parseFlags(args, context);
    const address = readRegisterAddress(flags);
    if (!address.ok) {
      const option = address.error.code === 'insecure' ? '--allow-plaintext' : '--register-api-url';
      throw new RegistrationError(`${address.error.message} (${option})`);
    }
    const { options, place } = await databaseOptions(flags, environment, terminal);
    record = await DatabaseRecord.open(options, flags.name, place);
    await register({ ...flags, ...context, record });
    return 0;
  } catch (error) {
    // Commander has printed its own message, or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageErrorCode;
    const expected = error instanceof RegistrationError ? '' : 'unexpected error: ';
    terminal.printError(`register: ${expected}${(error as Error).message}`);
    return 1;
  } finally {
    await record?.close();
  }
}

const wholeNumberOption = (min: number, max: number) => (text: string) => {
  const value = Number(text);
  if (/^\d{1,10}$/.test(text) && value >= min && value <= max) return value;
  throw new InvalidArgumentError(`expected a whole number from ${min} to ${max}`);
};

/** Accepts only plain names. They are put into statements between backquotes, in which SQL has no parameters. */
function withName(text: string, names: RecordNames): RecordNames {
  const [, ours = '', theirs = ''] = /^(\w+)=([A-Za-z0-9_$]{1,64})$/.exec(text) ?? [];
  if (Object.hasOwn(usualNames, ours)) return { ...names, [ours]: theirs };
  throw new InvalidArgumentError(
    'expected OURS=THEIRS, like client_key=key; theirs has letters, digits, _ or $, ' +
      `ours is one of ${Object.keys(usualNames).join(', ')}`,
  );
}

/** @throws CommanderError, with exit code 0 if help was asked for. */
function parseFlags(args: readonly string[], { terminal, environment }: CommandContext): Flags {
  const id = wholeNumberOption(0, 2_147_483_647);
  return new StrictCommand('register')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.printError(text.trimEnd()),
    })
    .description(
      'Registers this PBX with the calling service by hand: ' +
        'logs the device in and writes the keys into its registration record.',
    )
    .showHelpAfterError('(--help shows all options)')
    .requiredOption(
      '--register-api-url <url>',
      'base address of the registration API (or DIALMARK_REGISTER_API_URL)',
      environment.DIALMARK_REGISTER_API_URL,
    )
    .option('--email <address>', 'account at the service; asked for where missing')
    .option('--password-stdin', 'read the password from the first line of standard input')
    .option('--allow-plaintext', 'send the password over plain http to another machine')
    .requiredOption('--database <name>', 'database of the PBX')
    .option('--host <host>', 'database server', '127.0.0.1')
    .option('--port <port>', 'its port', wholeNumberOption(1, 65_535), 3306)
    .option('--socket <path>', 'its socket, instead of host and port')
    .option('--user <name>', 'database user (default: your own name)')
    .option(
      '--ask-database-password',
      'ask for the database password, unless DIALMARK_REGISTER_DB_PASSWORD_FILE names a file that holds it',
    )
    .option('--tls', 'check the certificate of the database; always so to another machine')
    .option('--tls-ca <file>', 'certificate authority of the database, PEM; implies --tls')
    .option('--database-plaintext', 'reach a database on another machine without TLS')
    .option('--name <ours=theirs...>', 'another table or column name; can be repeated', withName, usualNames)
    .option('--consumer-distro <id>', 'id_distro of the consumer', id, usualConsumer.id_distro)
    .option('--consumer-service <id>', 'id_service of the consumer', id, usualConsumer.id_service)
    .option('--consumer-name <name>', 'name_service of the consumer', usualConsumer.name_service)
    .option(
      '--backup-folder <folder>',
      'where SQL that restores the record is saved',
      path.join('data', 'registration-backups'),
    )
    .option('--dry-run', 'log in and show what would change, write nothing')
    .option('--yes', 'write without asking')
    .parse(args, { from: 'user' })
    .opts<Flags>();
}
