/**
 * `npm run relay`: serves, or with a command changes the store beside a running relay (docs/operators.md).
 * Results go to stdout alone, everything else to stderr.
 */
import { type Command, Option } from 'commander';
import { printCheckResults } from '../../shared/server/check-results.ts';
import { settingsOrExit } from '../../shared/server/environment.ts';
import { checkNumber } from '../../shared/server/forget-number.ts';
import { printNote } from '../../shared/server/print.ts';
import { makeProgram, refuseUnknownCommand, runProgram, variablesOf } from '../../shared/server/program.ts';
import { type RelaySettings, readRelaySettings, unknownRelayVariables } from '../settings.ts';
import { StoreError } from '../store/store.ts';
import { addKey, listKeys, revokeKey } from './api-keys.ts';
import { readCallers, readOrigins, requiredOption } from './arguments.ts';
import { backup, restore } from './backup.ts';
import { directoryCommands, forgetInDirectory } from './directory.ts';
import { runForget } from './forget.ts';
import { dropForward, listForwards, retryForwards } from './forwards.ts';
import { type InStore, keyCommands } from './key-commands.ts';
import { dropLog, listLog, moveLog, retryLog } from './log-entries.ts';
import { ruleCommands } from './rule-commands.ts';
import { sheetCommands } from './sheets.ts';
import { openStoreBesideRelay, type StoreBesideRelay } from './store-beside-relay.ts';
import { readTypedNumber } from './typed-number.ts';

export async function runRelayCommandLine(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const program = makeProgram(
    'relay',
    'Places calls, receives how they ended, and notifies browsers. Without a command: serves.',
  );
  const variables = () => variablesOf(program, environment);
  const withSettings =
    <Input extends unknown[]>(work: (settings: RelaySettings, ...input: Input) => Promise<void>) =>
    async (...input: Input) => {
      const settings = settingsOrExit(() => readRelaySettings(variables()));
      if (settings) await work(settings, ...input);
    };
  const onStore = <Input extends unknown[]>(
    work: (opened: StoreBesideRelay, ...input: Input) => Promise<void>,
  ) => withSettings((settings, ...input: Input) => inStore(settings, (opened) => work(opened, ...input)));
  // Other commands do not name unknown settings: the shell of an embedder has variables of its own.
  const nameUnknownSettings = () => unknownRelayVariables(variables()).forEach(printNote);
  const create = () => new Option('--create', 'makes the store where there is none yet').default(false);

  program.action(
    withSettings(async (settings) => {
      refuseUnknownCommand(program);
      nameUnknownSettings();
      // Loaded only here: commands take half the time without it.
      const { serve } = await import('./serve.ts');
      return serve(settings);
    }),
  );

  const withStore: InStore = (work, mayCreate) =>
    withSettings((settings, ...input) =>
      inStore(settings, (opened) => work(opened, settings, ...input), mayCreate?.(...input)),
    );
  keyCommands(program, withStore, create);
  ruleCommands(program, withStore);
  sheetCommands(program, withStore);

  siteCommands(program, withSettings, onStore, create);
  maintenanceCommands(program, withSettings, nameUnknownSettings);
  forwardCommands(program, onStore);
  directoryCommands(program, (work) =>
    withSettings((settings, ...input) => inStore(settings, ({ store }) => work(settings, store, ...input))),
  );
  logCommands(program, onStore, (id, system, kind, record) =>
    withSettings((settings) =>
      inStore(settings, ({ store }) => moveLog(store, settings, id, { system, kind, id: record })),
    )(),
  );

  await runProgram(program, args);
}

type OnStore = (
  work: (opened: StoreBesideRelay, id: string) => Promise<void>,
) => (id: string) => Promise<void>;

type WithSettings = <Input extends unknown[]>(
  work: (settings: RelaySettings, ...input: Input) => Promise<void>,
) => (...input: Input) => Promise<void>;

function siteCommands(program: Command, withSettings: WithSettings, onStore: OnStore, create: () => Option) {
  const site = program.command('site').description('sites that embed the widget');
  site
    .command('add <name>')
    .description('makes a site key and prints it, once')
    .addOption(requiredOption('--origin <origins>', 'origins of its pages, separated by commas', readOrigins))
    .addOption(
      requiredOption('--from <callers>', 'codes of agents or extensions, separated by commas', readCallers),
    )
    .addOption(create())
    .action(
      withSettings(
        (
          settings,
          name: string,
          { origin, from, create }: { origin: string[]; from: string[]; create: boolean },
        ) =>
          inStore(
            settings,
            (opened) => addKey(opened, { kind: 'site', name, origins: origin, callers: from }),
            create,
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
}

function maintenanceCommands(
  program: Command,
  withSettings: WithSettings,
  nameUnknownSettings: () => void,
): void {
  program
    .command('check')
    .description(
      'tries the calling service’s address, the store, the public address, the clock, the rules, ' +
        'each CRM and each source of names',
    )
    .option(
      '--entry-on <address>',
      'writes an entry that says that it is a test on the record at this address',
    )
    .action(
      withSettings(async (settings, { entryOn }: { entryOn?: string }) => {
        nameUnknownSettings();
        // Loaded only here, as for `serve`.
        const { checkRelay } = await import('./check.ts');
        printCheckResults(await checkRelay(settings, entryOn));
      }),
    );

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
    .addOption(
      requiredOption('--number <number>', 'with its country and area code, in any form', checkNumber),
    )
    .option('--yes', 'does not ask where a longer number ends with these digits', false)
    .action(
      withSettings((settings, { number, yes }: { number: string; yes: boolean }) =>
        inStore(settings, async ({ store }) => {
          // Without an area code the command asks whose number it is: what is deleted does not come back.
          const typed = readTypedNumber(number, { ...settings, areaCode: undefined });
          if (await runForget(store, typed.forms, yes))
            await forgetInDirectory(settings, store, typed.number);
        }),
      ),
    );
}

function forwardCommands(program: Command, onStore: OnStore): void {
  // A command that takes a call's id allows unknown options, because one id in 64 begins with "-".
  const forward = program
    .command('forward')
    .description('notifications on their way to DIALMARK_FORWARD_URL');
  forward
    .command('list')
    .description('those that wait for their next attempt, then the dead ones, given up')
    .action(onStore(({ store }) => listForwards(store)));
  forward
    .command('retry <id>')
    .allowUnknownOption()
    .description('sends one again at once, with all attempts, or with "all" every dead one')
    .action(onStore(({ store }, id: string) => retryForwards(store, id)));
  forward
    .command('drop <id>')
    .allowUnknownOption()
    .description('deletes one, dead or waiting')
    .action(onStore(({ store }, id: string) => dropForward(store, id)));
}

function logCommands(
  program: Command,
  onStore: OnStore,
  move: (id: string, system: string, kind: string, record: string) => Promise<void>,
): void {
  const log = program.command('log').description('calls whose entry is not in its CRM');
  log
    .command('list')
    .description(
      'entries, then calls that need a record, by call, oldest first: ' +
        'state, when, attempts, caller, number, system, record, reason',
    )
    .action(onStore(({ store }) => listLog(store)));
  log
    .command('retry <id>')
    .allowUnknownOption()
    .description('logs a call again at once, with all attempts, or with "all" every dead one')
    .action(onStore(({ store }, id) => retryLog(store, id)));
  log
    .command('move <id> <system> <kind> <record>')
    .allowUnknownOption()
    .description('logs a call on another record; an entry that is elsewhere gets a note that says so')
    .action(move);
  log
    .command('drop <id>')
    .allowUnknownOption()
    .description('gives up what is not logged of a call')
    .action(onStore(({ store }, id) => dropLog(store, id)));
}

async function inStore(
  settings: RelaySettings,
  work: (opened: StoreBesideRelay) => Promise<void>,
  mayCreate?: boolean,
): Promise<void> {
  const opened = await openStoreBesideRelay(settings, mayCreate);
  try {
    await work(opened);
  } catch (error) {
    throw error instanceof StoreError ? new Error(`${opened.name}: ${error.message}`) : error;
  } finally {
    await opened.store.close();
  }
}
