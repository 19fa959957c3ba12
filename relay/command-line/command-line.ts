/**
 * `npm run relay`: serves, or with a command changes the store beside a running relay (docs/operators.md).
 * Results go to stdout alone, everything else to stderr.
 */
import type { Command } from 'commander';
import { printCheckResults } from '../../shared/server/check-results.ts';
import { settingsOrExit } from '../../shared/server/environment.ts';
import { checkNumber } from '../../shared/server/forget-number.ts';
import { printNote } from '../../shared/server/print.ts';
import { makeProgram, refuseUnknownCommand, runProgram, variablesOf } from '../../shared/server/program.ts';
import { type RelaySettings, readRelaySettings, unknownRelayVariables } from '../settings.ts';
import { StoreError } from '../store/store.ts';
import { addKey, listKeys, revokeKey } from './api-keys.ts';
import { createOption, readCallers, readOrigins, requiredOption } from './arguments.ts';
import { backup, restore } from './backup.ts';
import { directoryCommands, forgetInDirectory } from './directory.ts';
import { runForget } from './forget.ts';
import { dropForward, listForwards, retryForwards } from './forwards.ts';
import { keyCommands } from './key-commands.ts';
import { dropLog, listLog, moveLog, retryLog } from './log-entries.ts';
import { ruleCommands } from './rule-commands.ts';
import { sheetCommands } from './sheets.ts';
import { type InStore, openStoreBesideRelay } from './store-beside-relay.ts';
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
  const withSettings: WithSettings =
    (work) =>
    async (...input) => {
      const settings = settingsOrExit(() => readRelaySettings(variables()));
      if (settings) await work(settings, ...input);
    };
  const inStore: InStore = (work, mayCreate) =>
    withSettings(async (settings, ...input) => {
      const opened = await openStoreBesideRelay(settings, mayCreate?.(...input));
      try {
        await work(opened, settings, ...input);
      } catch (error) {
        throw error instanceof StoreError ? new Error(`${opened.name}: ${error.message}`) : error;
      } finally {
        await opened.store.close();
      }
    });
  // Other commands do not name unknown settings: the shell of an embedder has variables of its own.
  const nameUnknownSettings = () => unknownRelayVariables(variables()).forEach(printNote);

  program.action(
    withSettings(async (settings) => {
      refuseUnknownCommand(program);
      nameUnknownSettings();
      // Loaded only here: commands take half the time without it.
      const { serve } = await import('./serve.ts');
      return serve(settings);
    }),
  );

  keyCommands(program, inStore);
  ruleCommands(program, inStore);
  sheetCommands(program, inStore);
  siteCommands(program, inStore);
  maintenanceCommands(program, withSettings, nameUnknownSettings);
  forgetCommand(program, inStore);
  forwardCommands(program, inStore);
  directoryCommands(program, inStore);
  logCommands(program, inStore);

  await runProgram(program, args);
}

type WithSettings = <Input extends unknown[]>(
  work: (settings: RelaySettings, ...input: Input) => Promise<void>,
) => (...input: Input) => Promise<void>;

function siteCommands(program: Command, inStore: InStore): void {
  const site = program.command('site').description('sites that embed the widget');
  site
    .command('add <name>')
    .description('makes a site key and prints it, once')
    .addOption(requiredOption('--origin <origins>', 'origins of its pages, separated by commas', readOrigins))
    .addOption(
      requiredOption('--from <callers>', 'codes of agents or extensions, separated by commas', readCallers),
    )
    .addOption(createOption())
    .action(
      inStore(
        (opened, _settings, name: string, { origin, from }: SiteOptions) =>
          addKey(opened, { kind: 'site', name, origins: origin, callers: from }),
        (_name, { create }) => create,
      ),
    );
  site
    .command('list')
    .description('site keys, without the keys themselves')
    .action(inStore(({ store }) => listKeys(store, 'site')));
  site
    .command('revoke <id>')
    .description('ends a key and every ticket made with it')
    .action(inStore(({ store }, _settings, id: string) => revokeKey(store, id)));
}

interface SiteOptions {
  origin: string[];
  from: string[];
  create: boolean;
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
}

function forgetCommand(program: Command, inStore: InStore): void {
  program
    .command('forget')
    .description('deletes every call from or to a number, with its events, and keeps its names away')
    .addOption(
      requiredOption('--number <number>', 'with its country and area code, in any form', checkNumber),
    )
    .option('--yes', 'does not ask where a longer number ends with these digits', false)
    .action(
      inStore(async ({ store }, settings, { number, yes }: { number: string; yes: boolean }) => {
        // Without an area code the command asks whose number it is: what is deleted does not come back.
        const typed = readTypedNumber(number, { ...settings, areaCode: undefined });
        if (await runForget(store, typed.forms, yes)) await forgetInDirectory(settings, store, typed.number);
      }),
    );
}

function forwardCommands(program: Command, inStore: InStore): void {
  // A command that takes a call's id allows unknown options, because one id in 64 begins with "-".
  const forward = program
    .command('forward')
    .description('notifications on their way to DIALMARK_FORWARD_URL');
  forward
    .command('list')
    .description('those that wait for their next attempt, then the dead ones, given up')
    .action(inStore(({ store }) => listForwards(store)));
  forward
    .command('retry <id>')
    .allowUnknownOption()
    .description('sends one again at once, with all attempts, or with "all" every dead one')
    .action(inStore(({ store }, _settings, id: string) => retryForwards(store, id)));
  forward
    .command('drop <id>')
    .allowUnknownOption()
    .description('deletes one, dead or waiting')
    .action(inStore(({ store }, _settings, id: string) => dropForward(store, id)));
}

function logCommands(program: Command, inStore: InStore): void {
  const log = program.command('log').description('calls whose entry is not in its CRM');
  log
    .command('list')
    .description(
      'entries, then calls that need a record, by call, oldest first: ' +
        'state, when, attempts, caller, number, system, record, reason',
    )
    .action(inStore(({ store }) => listLog(store)));
  log
    .command('retry <id>')
    .allowUnknownOption()
    .description('logs a call again at once, with all attempts, or with "all" every dead one')
    .action(inStore(({ store }, _settings, id: string) => retryLog(store, id)));
  log
    .command('move <id> <system> <kind> <record>')
    .allowUnknownOption()
    .description('logs a call on another record; an entry that is elsewhere gets a note that says so')
    .action(
      inStore(({ store }, settings, id: string, system: string, kind: string, record: string) =>
        moveLog(store, settings, id, { system, kind, id: record }),
      ),
    );
  log
    .command('drop <id>')
    .allowUnknownOption()
    .description('gives up what is not logged of a call')
    .action(inStore(({ store }, _settings, id: string) => dropLog(store, id)));
}
