/** The command line of `npm run register`: options in, one of the exit codes out. */
import path from 'node:path';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { type DatabaseFlags, databaseOptions } from './database-options.ts';
import { openDatabaseRecord } from './database-record.ts';
import { openFileRecord } from './file-record.ts';
import { defaultMapping, readMapping } from './mapping.ts';
import { exitCodeOf, exitCodes, RegisterError } from './outcome.ts';
import type { RecordStore } from './record.ts';
import { type RunOptions, type RunResult, register, undo } from './run.ts';
import type { Terminal } from './terminal.ts';

interface Flags extends DatabaseFlags {
  registerApiUrl?: string;
  record?: string;
  mapping?: string;
  email?: string;
  passwordStdin?: boolean;
  allowPlaintext?: boolean;
  consumerDistro: number;
  consumerService: number;
  consumerName: string;
  backupFolder: string;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

export interface CommandWorld {
  terminal: Terminal;
  environment: NodeJS.ProcessEnv;
  fetch: typeof fetch;
  now: () => Date;
}

/** @param args without node and the script. @returns the process's exit code. Never throws. */
export async function runCommand(args: readonly string[], world: CommandWorld): Promise<number> {
  const { terminal } = world;
  let code: number = 0;
  // Known before the options are parsed, so that a wrong option is answered in the form asked for.
  const json = args.includes('--json');
  const end = async (flags: Flags, work: (options: RunOptions) => Promise<RunResult>) => {
    let store: RecordStore | undefined;
    try {
      store = await openStore(flags, world);
      const result = await work({
        store,
        terminal,
        backupFolder: flags.backupFolder,
        dryRun: flags.dryRun === true,
        yes: flags.yes === true,
        now: world.now,
      });
      report(result, json, terminal);
    } catch (error) {
      code = fail(error, json, terminal);
    } finally {
      await store?.close();
    }
  };

  const program = commandLine()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    })
    .action(async (_options, command: Command) => {
      const flags = command.opts<Flags>();
      await end(flags, (options) => {
        const registerApiUrl = flags.registerApiUrl ?? world.environment.DIALMARK_REGISTER_API_URL;
        if (registerApiUrl === undefined)
          throw new RegisterError(
            'badOption',
            'where is the registration API? Give --register-api-url or DIALMARK_REGISTER_API_URL',
          );
        return register({
          ...options,
          registerApiUrl,
          ...(flags.email === undefined ? {} : { email: flags.email }),
          passwordStdin: flags.passwordStdin === true,
          allowPlaintext: flags.allowPlaintext === true,
          consumer: {
            idDistro: flags.consumerDistro,
            idService: flags.consumerService,
            nameService: flags.consumerName,
          },
          fetch: world.fetch,
        });
      });
    });
  program
    .command('undo')
    .argument('<backup>', 'file that an earlier run wrote')
    .description('put back what was there before that run')
    .action(async (file: string, _options, command: Command) => {
      await end(command.optsWithGlobals<Flags>(), (options) => undo(file, options));
    });

  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) code = fail(error, json, terminal);
    else if (error.exitCode !== 0) {
      // Commander has said what is wrong on stderr.
      if (json)
        terminal.out(
          JSON.stringify({ status: 'failed', error: { code: 'badOption', message: error.message } }),
        );
      code = exitCodeOf.badOption;
    }
  }
  return code;
}

async function openStore(flags: Flags, world: CommandWorld): Promise<RecordStore> {
  const mapping = flags.mapping === undefined ? defaultMapping : await readMapping(flags.mapping);
  if (flags.record !== undefined) return openFileRecord(flags.record, mapping);
  const { options, place } = await databaseOptions(flags, world.environment, world.terminal);
  return openDatabaseRecord(options, mapping, place);
}

function report(result: RunResult, json: boolean, terminal: Terminal): void {
  if (json) {
    terminal.out(JSON.stringify(result));
    return;
  }
  const sentences: Record<RunResult['status'], string> = {
    written: `Written and read back. What was there before is in ${result.backup}; put it back with: npm run register -- undo ${result.backup}
Now clear the browser's cookies and site data of the PBX's address: the extension's page for the registration does that for this address alone.`,
    nothingToChange: 'Nothing to change: the record is as it must be.',
    wouldChange: 'Nothing was written (--dry-run).',
  };
  terminal.out(sentences[result.status]);
}

function fail(error: unknown, json: boolean, terminal: Terminal): number {
  const known = error instanceof RegisterError;
  const code = known ? error.code : 'internal';
  const message = known ? error.message : `something unexpected: ${(error as Error).message}`;
  if (json)
    terminal.out(
      JSON.stringify({
        status: 'failed',
        error: { code, message },
        ...(known && error.backup !== undefined ? { backup: error.backup } : {}),
      }),
    );
  terminal.err(`register: ${message}`);
  return exitCodeOf[code];
}

const wholeNumber = (least: number, most: number) => (text: string) => {
  const value = Number(text);
  if (/^\d{1,10}$/.test(text) && value >= least && value <= most) return value;
  throw new InvalidArgumentError(`expected a whole number from ${least} to ${most}`);
};

function commandLine(): Command {
  const program = new Command('register')
    .description(
      "Registers this PBX with the calling service by hand: logs the device in, writes the two keys, the registered flag and the consumer record into the PBX's registration record. Asks for e-mail and password; the password is never stored.",
    )
    .showHelpAfterError('(--help shows all options)')
    .option('--register-api-url <url>', 'base address of the registration API (or DIALMARK_REGISTER_API_URL)')
    .option('--email <address>', 'account at the service; asked for where missing')
    .option('--password-stdin', 'read the password from the first line of standard input')
    .option('--allow-plaintext', 'send the password over plain http to another machine')
    .option('--record <file>', 'the record is this JSON file, not a database')
    .option('--database <name>', 'database of the PBX')
    .option('--host <host>', 'database server (default: 127.0.0.1)')
    .option('--port <port>', 'its port (default: 3306)', wholeNumber(1, 65_535))
    .option('--socket <path>', 'its socket, instead of host and port')
    .option('--user <name>', 'database user (default: your own name)')
    .option(
      '--defaults-file <file>',
      'option file with a [client] group: user, password, host, port, socket, database, ssl-ca',
    )
    .option(
      '--ask-database-password',
      'ask for the database password; else DIALMARK_PBX_DB_PASSWORD_FILE or the defaults file',
    )
    .option(
      '--tls',
      'encrypt the connection to the database and check its certificate; --host is then a name',
    )
    .option('--tls-ca <file>', 'certificate authority of the database, PEM; implies --tls')
    .option('--mapping <file>', 'JSON file with other table and column names')
    .option('--consumer-distro <id>', 'id_distro of the consumer record', wholeNumber(0, 2_147_483_647), 1)
    .option('--consumer-service <id>', 'id_service of the consumer record', wholeNumber(0, 2_147_483_647), 1)
    .option('--consumer-name <name>', 'name_service of the consumer record', 'intercomunexao')
    .option(
      '--backup-folder <folder>',
      'where what was there before is kept',
      path.join('data', 'registration-backups'),
    )
    .option('--dry-run', 'log in and show what would change, write nothing')
    .option('--yes', 'write without asking')
    .option('--json', 'print the result as one JSON object on stdout, keys masked');
  program.addHelpText(
    'after',
    `\nExit codes:\n${Object.entries(exitCodes)
      .map(([code, meaning]) => `  ${code.padStart(2)}  ${meaning}`)
      .join('\n')}`,
  );
  return program;
}
