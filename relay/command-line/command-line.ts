/**
 * `npm run relay`: serves, or with a command changes the store beside a running relay (docs/operators.md). Results go to
 * stdout alone, everything else to stderr.
 */
import { Command, Option } from 'commander';
import { printCheckResults } from '../../shared/server/check-results.ts';
import { commandNames } from '../../shared/server/command-names.ts';
import { settingsOrExit, usageErrorCode } from '../../shared/server/environment.ts';
import { readNumber } from '../../shared/server/forget-number.ts';
import { settingsOption } from '../../shared/server/settings-file.ts';
import { readSettings, type Settings } from '../settings.ts';
import { addKey, listKeys, revokeKey } from './api-keys.ts';
import { readCallers, readOrigins, requiredOption } from './arguments.ts';
import { backup, restore } from './backup.ts';
import { checkRelay } from './check.ts';
import { directoryCommands, forgetInDirectory } from './directory.ts';
import { forget } from './forget.ts';
import { dropForward, listForwards, retryForwards } from './forwards.ts';
import { type InStore, keyCommands } from './key-commands.ts';
import { dropLog, listLog, moveLog, retryLog } from './log-entries.ts';
import { printNote } from './print.ts';
import { ruleCommands } from './rule-commands.ts';
import { openStoreBesideRelay, type StoreBesideRelay } from './store-beside-relay.ts';

export async function commandLine(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const program = new Command('relay')
    .description('Places calls, receives how they ended, and notifies browsers. Without a command: serves.')
    .addOption(settingsOption())
    .helpCommand(false)
    .showHelpAfterError('(--help shows what it takes)')
    // An unknown command arrives as an argument of the program itself.
    .allowExcessArguments()
    // Set before the commands are made, which inherit it.
    .exitOverride((error) => {
      process.exitCode = error.exitCode === 0 ? 0 : usageErrorCode;
      if (error.code === 'commander.unknownCommand') printNote(`expected one of:\n${commandNames(program)}`);
      throw error;
    });
  const variables = () => ({
    ...program.opts<{ settings?: NodeJS.Dict<string> }>().settings,
    ...environment,
  });
  const withSettings =
    <Input extends unknown[]>(work: (settings: Settings, ...input: Input) => Promise<void>) =>
    async (...input: Input) => {
      const settings = settingsOrExit(() => readSettings(variables()));
      if (settings) await work(settings, ...input);
    };
  const onStore = <Input extends unknown[]>(
    work: (opened: StoreBesideRelay, ...input: Input) => Promise<void>,
  ) =>
    withSettings((settings, ...input: Input) => inStore(settings, false, (opened) => work(opened, ...input)));
  const callers = () =>
    requiredOption('--from <callers>', 'codes of agents or extensions, separated by commas', readCallers);
  const create = () => new Option('--create', 'makes the store where there is none yet').default(false);

  program.action(
    withSettings(async (settings) => {
      const [unknown] = program.args;
      if (unknown === undefined) {
        // Loaded only here: commands take half the time without it.
        const { serve } = await import('./serve.ts');
        return serve(settings, variables());
      }
      program.error(`error: unknown command '${unknown}'`, { code: 'commander.unknownCommand' });
    }),
  );

  const withStore: InStore = (work, mayCreate = () => false) =>
    withSettings((settings, ...input) =>
      inStore(settings, mayCreate(...input), (opened) => work(opened, settings, ...input)),
    );
  keyCommands(program, withStore, create);
  ruleCommands(program, withStore);

  const site = program.command('site').description('sites that embed the widget');
  site
    .command('add <name>')
    .description('makes a site key and prints it, once')
    .addOption(requiredOption('--origin <origins>', 'origins of its pages, separated by commas', readOrigins))
    .addOption(callers())
    .addOption(create())
    .action(
      withSettings(
        (
          settings,
          name: string,
          { origin, from, create }: { origin: string[]; from: string[]; create: boolean },
        ) =>
          inStore(settings, create, (opened) =>
            addKey(opened, { kind: 'site', name, origins: origin, callers: from }),
          ),
      ),
    );
  site
    .command('list')
    .description('site keys, without the keys themselves')
    .action(onStore(({ store }) => listKeys(store, 'site')));
  site
    .command('revoke <id>')
    .description('ends a key and every ticket made with it')
    .action(onStore(({ store }, id: string) => revokeKey(store, id)));

  program
    .command('check')
    .description(
      'tries the calling service’s address, the store, the public address, the clock, the rules, each CRM and each source of names',
    )
    .action(withSettings(async (settings) => printCheckResults(await checkRelay(settings))));

  program
    .command('backup <file>')
    .description(
      'copies a SQLite store with its secret into a new, private file, while the relay runs or not',
    )
    .action(withSettings(async (settings, file: string) => backup(settings, file)));
  program
    .command('restore <file>')
    .description('puts a backup in place of a missing store; refuses where a relay runs on it')
    .action(withSettings(async (settings, file: string) => restore(settings, file)));

  program
    .command('forget')
    .description('deletes every call from or to a number, with its events, and keeps its names away')
    .addOption(requiredOption('--number <number>', 'with its country and area code, in any form', readNumber))
    .option('--yes', 'does not ask where a longer number ends with these digits', false)
    .action(
      withSettings((settings, { number, yes }: { number: string; yes: boolean }) =>
        inStore(settings, false, async ({ store }) => {
          if (await forget(store, number, yes)) await forgetInDirectory(settings, store, number);
        }),
      ),
    );

  const forward = program
    .command('forward')
    .description('notifications on their way to DIALMARK_FORWARD_URL');
  forward
    .command('list')
    .description('those that wait for their next attempt, then the dead ones, given up')
    .action(onStore(({ store }) => listForwards(store)));
  forward
    .command('retry <id>')
    .description('sends one again at once, with all attempts, or with "all" every dead one')
    .action(onStore(({ store }, id: string) => retryForwards(store, id)));
  forward
    .command('drop <id>')
    .description('deletes one, dead or waiting')
    .action(onStore(({ store }, id: string) => dropForward(store, id)));

  directoryCommands(program, (work) =>
    withSettings((settings, ...input) =>
      inStore(settings, false, ({ store }) => work(settings, store, ...input)),
    ),
  );
  logCommands(program, onStore, (id, system, kind, record) =>
    withSettings((settings) =>
      inStore(settings, false, ({ store }) => moveLog(store, settings, id, { system, kind, id: record })),
    )(),
  );

  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('commander.')) return;
    printNote((error as Error).message);
    process.exitCode ||= 1;
  }
}

type OnStore = (
  work: (opened: StoreBesideRelay, id: string) => Promise<void>,
) => (id: string) => Promise<void>;

function logCommands(
  program: Command,
  onStore: OnStore,
  move: (id: string, system: string, kind: string, record: string) => Promise<void>,
): void {
  const log = program.command('log').description('calls whose entry is not in its CRM');
  log
    .command('list')
    .description('by call, oldest first: state, when, attempts, caller, number, system, record, reason')
    .action(onStore(({ store }) => listLog(store)));
  log
    .command('retry <id>')
    .description('logs a call again at once, with all attempts, or with "all" every dead one')
    .action(onStore(({ store }, id) => retryLog(store, id)));
  log
    .command('move <id> <system> <kind> <record>')
    .description('logs a call on another record; an entry that is elsewhere gets a note that says so')
    .action(move);
  log
    .command('drop <id>')
    .description('gives up what is not logged of a call')
    .action(onStore(({ store }, id) => dropLog(store, id)));
}

async function inStore(
  settings: Settings,
  mayCreate: boolean,
  work: (opened: StoreBesideRelay) => Promise<void>,
): Promise<void> {
  const opened = await openStoreBesideRelay(settings, mayCreate);
  try {
    await work(opened);
  } finally {
    await opened.store.close();
  }
}
