/**
 * `npm run relay`: serves, or with a command changes the store beside a running relay (design.md, section 4). Results go to
 * stdout alone, everything else to stderr.
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import { settingsOrExit, usageErrorCode } from '../shared/server/environment.ts';
import { stopOnSignal } from '../shared/server/http-server.ts';
import { maskNumber } from '../shared/server/log.ts';
import { CallerCode } from '../shared/service/request.ts';
import { makeApiKey } from './access/api-key.ts';
import { readSettings, type Settings, unknownSettings } from './settings.ts';
import { startRelay } from './start-relay.ts';
import { openStore } from './store/open-store.ts';
import type { Store, StoredKey } from './store/store.ts';

/** Of forwards. */
const maxListed = 1000;

async function commandLine(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const settings = settingsOrExit(() => readSettings(environment));
  if (!settings) return;
  const withStore = async (work: (store: Store) => Promise<void>) => {
    const store = await openStore(settings);
    try {
      await work(store);
    } finally {
      await store.close();
    }
  };

  const program = new Command('relay')
    .description('Places calls, receives how they ended, and notifies browsers. Without a command: serves.')
    .helpCommand(false)
    .action(() => serve(settings, environment))
    // Set before the commands are made, which inherit it.
    .exitOverride((error) => {
      process.exitCode = error.exitCode === 0 ? 0 : usageErrorCode;
      throw error;
    });

  const key = program.command('key').description('agent keys');
  key
    .command('add')
    .description('makes an agent key and prints it, once')
    .addOption(callersOption())
    .option('--name <name>', 'whose it is', '')
    .action((options: { from: string[]; name: string }) =>
      withStore((store) =>
        addKey(store, { kind: 'agent', name: options.name, origins: [], callers: options.from }),
      ),
    );
  key.command('list').action(() => withStore((store) => listKeys(store, 'agent')));
  key
    .command('revoke <id>')
    .description('ends a key and every stream opened with it')
    .action((id: string) => withStore((store) => revoke(store, id)));

  const site = program.command('site').description('sites that embed the widget');
  site
    .command('add <name>')
    .description('makes a site key and prints it, once')
    .addOption(
      new Option('--origin <origins>', 'origins of its pages, separated by commas')
        .argParser(readOrigins)
        .makeOptionMandatory(),
    )
    .addOption(callersOption())
    .action((name: string, options: { origin: string[]; from: string[] }) =>
      withStore((store) =>
        addKey(store, { kind: 'site', name, origins: options.origin, callers: options.from }),
      ),
    );
  site.command('list').action(() => withStore((store) => listKeys(store, 'site')));
  site.command('revoke <id>').action((id: string) => withStore((store) => revoke(store, id)));

  program
    .command('forget')
    .description('deletes every call from or to a number, with its events')
    .addOption(new Option('--number <number>', 'in any form').argParser(readNumber).makeOptionMandatory())
    .action((options: { number: string }) =>
      withStore(async (store) => {
        const calls = await store.maintenance.forget(options.number);
        process.stdout.write(`${calls} ${calls === 1 ? 'call' : 'calls'} forgotten\n`);
      }),
    );

  const forward = program
    .command('forward')
    .description('notifications on their way to DIALMARK_FORWARD_URL');
  forward
    .command('list')
    .description('those that wait for their next attempt, then the dead ones, given up')
    .action(() => withStore(listForwards));
  forward
    .command('retry <id>')
    .description('sends one again at once, with all attempts, or with "all" every dead one')
    .action((id: string) => withStore((store) => retryForwards(store, id)));
  forward
    .command('drop <id>')
    .description('deletes one, dead or waiting')
    .action((id: string) => withStore((store) => dropForward(store, id)));

  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('commander.')) return;
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode ||= 1;
  }
}

async function serve(settings: Settings, environment: NodeJS.ProcessEnv): Promise<void> {
  for (const name of unknownSettings(environment))
    process.stderr.write(`${name}: no such setting; it is ignored\n`);
  const relay = await startRelay(settings);
  process.stdout.write(`listening on ${relay.url}\n`);
  stopOnSignal(relay.stop);
}

function callersOption(): Option {
  return new Option('--from <callers>', 'codes of agents or extensions, separated by commas')
    .argParser(readCallers)
    .makeOptionMandatory();
}

function readCallers(text: string): string[] {
  const callers = text.split(',').map((part) => part.trim());
  const wrong = callers.find((caller) => !CallerCode.safeParse(caller).success);
  if (wrong !== undefined)
    throw new InvalidArgumentError(
      `expected codes of agents or extensions, separated by commas, got "${wrong}"`,
    );
  return [...new Set(callers)];
}

function readOrigins(text: string): string[] {
  return text.split(',').map((part) => {
    const given = part.trim();
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (
      !url ||
      !/^https?:$/.test(url.protocol) ||
      url.pathname !== '/' ||
      url.search !== '' ||
      url.hash !== ''
    )
      throw new InvalidArgumentError(`expected an origin like https://crm.example, got "${given}"`);
    return url.origin;
  });
}

function readNumber(text: string): string {
  const digits = text.replace(/\D/g, '');
  if (digits.length < 3) throw new InvalidArgumentError('expected a number of at least 3 digits');
  return digits;
}

async function addKey(
  store: Store,
  fields: Pick<StoredKey, 'kind' | 'name' | 'origins' | 'callers'>,
): Promise<void> {
  const { key, stored } = makeApiKey(fields, new Date());
  await store.keys.add(stored);
  process.stdout.write(`${key}\n`);
  process.stderr.write(`${stored.id}: keep the key now, it is shown this once\n`);
}

async function listKeys(store: Store, kind: StoredKey['kind']): Promise<void> {
  for (const key of await store.keys.list()) {
    if (key.kind !== kind) continue;
    const state = key.revokedAt === undefined ? 'active' : `revoked ${key.revokedAt}`;
    const fields = [
      key.id,
      state,
      key.createdAt,
      key.callers.join(','),
      ...(kind === 'site' ? [key.origins.join(',')] : []),
      key.name,
    ];
    process.stdout.write(`${fields.join('\t')}\n`);
  }
}

async function listForwards(store: Store): Promise<void> {
  const forwards = await store.forwards.list(maxListed);
  for (const each of forwards) {
    const fields = [
      each.id,
      each.dead ? 'dead' : 'waiting',
      new Date(each.at).toISOString(),
      `${each.attempts} ${each.attempts === 1 ? 'attempt' : 'attempts'}`,
      maskNumber(each.from),
      maskNumber(each.to),
      each.note,
    ];
    process.stdout.write(`${fields.join('\t')}\n`);
  }
  if (forwards.length === maxListed) process.stderr.write(`only the first ${maxListed} are shown\n`);
}

async function retryForwards(store: Store, id: string): Promise<void> {
  const count = await store.forwards.retry(id === 'all' ? undefined : id, Date.now());
  if (count === 0 && id !== 'all') return unknownForward(id);
  process.stdout.write(`${count} to be forwarded again\n`);
}

async function dropForward(store: Store, id: string): Promise<void> {
  if (!(await store.forwards.drop(id))) return unknownForward(id);
  process.stdout.write(`${id} dropped\n`);
}

function unknownForward(id: string): void {
  process.stderr.write(`${id}: expected the id of a forward; \`forward list\` shows them\n`);
  process.exitCode = 1;
}

async function revoke(store: Store, id: string): Promise<void> {
  if (await store.keys.revoke(id, new Date().toISOString())) {
    process.stdout.write(`${id} revoked\n`);
    return;
  }
  process.stderr.write(`${id}: expected the id of an active key; \`key list\` and \`site list\` show them\n`);
  process.exitCode = 1;
}

await commandLine(process.argv.slice(2), process.env);
