/** `npm run pbx`: serves; `token` and `check` beside it. Answers go to stdout alone, everything else to stderr. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { printCheckResults } from '../../shared/server/check-results.ts';
import { commandNames } from '../../shared/server/command-names.ts';
import { settingsOrExit, usageErrorCode } from '../../shared/server/environment.ts';
import { stopOnSignal } from '../../shared/server/http-server.ts';
import { makeLog } from '../../shared/server/log.ts';
import { checkInstallation } from './check.ts';
import { type PbxSettings, readPbxSettings, unknownPbxVariables } from './settings.ts';
import { startPbxService } from './start-pbx-service.ts';
import { PbxStore } from './store/pbx-store.ts';
import { makeToken } from './token.ts';

export async function commandLine(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const settings = settingsOrExit(() => readPbxSettings(environment));
  if (!settings) return;
  const withStore = (work: (store: PbxStore) => void) => {
    const store = new PbxStore(settings.store);
    try {
      work(store);
    } finally {
      store.close();
    }
  };

  const program = new Command('pbx')
    .description('The calling service on your own Asterisk. Without a command: serves.')
    .helpCommand(false)
    .showHelpAfterError('(--help shows what it takes)')
    // An unknown command arrives as an argument of the program itself.
    .allowExcessArguments()
    .action(() => {
      const [unknown] = program.args;
      if (unknown === undefined) return serve(settings, environment);
      program.error(`error: unknown command '${unknown}'`, { code: 'commander.unknownCommand' });
    })
    .exitOverride((error) => {
      process.exitCode = error.exitCode === 0 ? 0 : usageErrorCode;
      if (error.code === 'commander.unknownCommand')
        process.stderr.write(`expected one of:\n${commandNames(program)}\n`);
      throw error;
    });
  const token = program.command('token').description('service tokens');
  token
    .command('add')
    .description('makes a service token and prints it, once')
    .option('--name <name>', 'who uses it', '')
    .action(({ name }: { name: string }) =>
      withStore((store) => {
        const made = makeToken(name, Date.now());
        store.addToken(made.stored);
        process.stdout.write(`${made.token}\n`);
        process.stderr.write(
          `${made.stored.id} is in ${resolve(settings.store)}. Keep the token now, it is shown this once\n`,
        );
      }),
    );
  token.command('list').action(() =>
    withStore((store) => {
      for (const { id, createdAt, name } of store.tokens())
        process.stdout.write(`${[id, new Date(createdAt).toISOString(), name].join('\t')}\n`);
    }),
  );
  token.command('revoke <id>').action((id: string) =>
    withStore((store) => {
      if (store.removeToken(id)) process.stdout.write(`${id} revoked\n`);
      else {
        process.stderr.write(`${id}: expected the id of a token; \`token list\` shows them\n`);
        process.exitCode = 1;
      }
    }),
  );
  program
    .command('check')
    .description('tries Asterisk, its rights, the context, the recordings and the return addresses')
    .option('--to <digits>', 'a number that the context dials', '5511999990000')
    .action(async ({ to }: { to: string }) => {
      if (!/^\d{1,32}$/.test(to)) {
        process.stderr.write(`--to: expected digits, got ${JSON.stringify(to)}\n`);
        process.exitCode = usageErrorCode;
        return;
      }
      printCheckResults(await checkInstallation(settings, to));
    });

  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('commander.')) return;
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode ||= 1;
  }
}

async function serve(settings: PbxSettings, environment: NodeJS.ProcessEnv): Promise<void> {
  const missing = [
    ...(settings.amiUser === undefined ? ['DIALMARK_PBX_AMI_USER: expected a user of manager.conf'] : []),
    ...(settings.amiSecret === undefined
      ? [
          'DIALMARK_PBX_AMI_SECRET: expected its secret, here or in the file named by DIALMARK_PBX_AMI_SECRET_FILE',
        ]
      : []),
  ];
  if (missing.length > 0) {
    process.stderr.write(`${missing.join('\n')}\n`);
    process.exitCode = usageErrorCode;
    return;
  }
  const log = makeLog(settings.logLevel);
  for (const name of unknownPbxVariables(environment))
    log.warn(`${name} is not a setting; docs/pbx.md lists them`);
  const service = await startPbxService(settings, log);
  if (service.store.tokens().length === 0)
    log.warn('there is no service token yet: make one with `npm run pbx -- token add`');
  process.stdout.write(`listening on ${service.url}\n`);
  stopOnSignal(() => service.stop());
}
