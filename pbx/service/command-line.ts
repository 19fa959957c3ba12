/** `npm run pbx`: serves; commands beside it. Results go to stdout alone, everything else to stderr. */
import { resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { printCheckResults } from '../../shared/server/check-results.ts';
import { settingsOrExit, usageErrorCode } from '../../shared/server/environment.ts';
import { checkNumber } from '../../shared/server/forget-number.ts';
import { makeLog } from '../../shared/server/log.ts';
import { printNote } from '../../shared/server/print.ts';
import { makeProgram, refuseUnknownCommand, runProgram, variablesOf } from '../../shared/server/program.ts';
import { stopOnSignal } from '../../shared/server/stop-on-signal.ts';
import { hasStore } from '../../shared/server/store-lock.ts';
import { checkInstallation } from './check.ts';
import { forgetCallsOfNumber } from './forget.ts';
import { type PbxSettings, readPbxSettings, unknownPbxVariables } from './settings.ts';
import { startPbxService } from './start-pbx-service.ts';
import { PbxStore } from './store/pbx-store.ts';
import { addToken, listTokens, revokeToken } from './token.ts';

export async function runPbxCommand(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const program = makeProgram('pbx', 'The calling service on your own Asterisk. Without a command: serves.');
  const withSettings =
    <Input extends unknown[]>(work: (settings: PbxSettings, ...input: Input) => unknown) =>
    async (...input: Input) => {
      const variables = variablesOf(program, environment);
      const settings = settingsOrExit(() => readPbxSettings(variables));
      if (!settings) return;
      unknownPbxVariables(variables).forEach(printNote);
      await work(settings, ...input);
    };
  const onStore = <Input extends unknown[]>(
    work: (store: PbxStore, settings: PbxSettings, ...input: Input) => unknown,
  ) =>
    withSettings(async (settings, ...input: Input) => {
      if (!hasStore(settings.store))
        throw new Error(
          `${resolve(settings.store)}: there is no store yet. If the service runs, give this command ` +
            'its settings: DIALMARK_PBX_STORE, or --settings FILE',
        );
      const store = new PbxStore(settings.store);
      try {
        await work(store, settings, ...input);
      } finally {
        store.close();
      }
    });

  program.action(
    withSettings((settings) => {
      refuseUnknownCommand(program);
      return servePbx(settings);
    }),
  );
  const token = program.command('token').description('service tokens');
  token
    .command('add')
    .description('makes a service token and prints it, once')
    .option('--name <name>', 'who uses it', '')
    .action(withSettings((settings, { name }: { name: string }) => addToken(settings, name)));
  token.command('list').action(onStore(listTokens));
  token.command('revoke <id>').action(onStore((store, _settings, id: string) => revokeToken(store, id)));
  program
    .command('check')
    .description(
      'tries the store, Asterisk, its rights, the context, the recordings and the return addresses',
    )
    .addOption(
      new Option('--to <digits>', 'a number that the context dials')
        .default('5511999990000')
        .argParser((text) => {
          if (/^\d{1,32}$/.test(text)) return text;
          throw new InvalidArgumentError('expected digits');
        }),
    )
    .action(
      withSettings(async (settings, { to }: { to: string }) =>
        printCheckResults(await checkInstallation(settings, to)),
      ),
    );
  program
    .command('forget')
    .description('deletes every call to or from a number, with its recordings')
    .addOption(
      new Option('--number <number>', 'with its country and area code, in any form')
        .argParser(checkNumber)
        .makeOptionMandatory(),
    )
    .option('--yes', 'does not ask where a longer number ends with these digits', false)
    .action(
      onStore((store, settings, { number, yes }: { number: string; yes: boolean }) =>
        forgetCallsOfNumber(store, settings, number, yes),
      ),
    );

  await runProgram(program, args);
}

async function servePbx(settings: PbxSettings): Promise<void> {
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
  const service = await startPbxService(settings, log);
  if (service.store.tokens().length === 0)
    log.warn('there is no service token yet: make one with `npm run pbx -- token add`');
  process.stdout.write(`listening on ${service.url}\n`);
  stopOnSignal(() => service.stop());
}
