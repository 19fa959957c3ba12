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
import { forgetNumber } from './store/forget-number.ts';
import { openStore } from './store/open-store.ts';
import type { Store, StoredKey } from './store/store.ts';

/** Of forwards. */
const maxListed = 1000;

async function commandLine(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const settings = settingsOrExit(() => readSettings(environment));
  if (!settings) return;
  const onStore =
    <Input extends unknown[]>(work: (store: Store, ...input: Input) => Promise<void>) =>
    async (...input: Input) => {
      const store = await openStore(settings);
      try {
        await work(store, ...input);
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
  const callers = () =>
    requiredOption('--from <callers>', 'codes of agents or extensions, separated by commas', readCallers);

  const key = program.command('key').description('agent keys');
  key
    .command('add')
    .description('makes an agent key and prints it, once')
    .addOption(callers())
    .option('--name <name>', 'whose it is', '')
    .option(
      '--client-calls',
      'may announce calls that the agent’s browser places itself (direct mode)',
      false,
    )
    .action(
      onStore((store, { from, name, clientCalls }: { from: string[]; name: string; clientCalls: boolean }) =>
        addKey(store, { kind: 'agent', name, origins: [], callers: from, clientCalls }),
      ),
    );
  key.command('list').action(onStore((store) => listKeys(store, 'agent')));
  key
    .command('revoke <id>')
    .description('ends a key and every stream opened with it')
    .action(onStore(revokeKey));

  const site = program.command('site').description('sites that embed the widget');
  site
    .command('add <name>')
    .description('makes a site key and prints it, once')
    .addOption(requiredOption('--origin <origins>', 'origins of its pages, separated by commas', readOrigins))
    .addOption(callers())
    .action(
      onStore((store, name: string, { origin, from }: { origin: string[]; from: string[] }) =>
        addKey(store, { kind: 'site', name, origins: origin, callers: from }),
      ),
    );
  site.command('list').action(onStore((store) => listKeys(store, 'site')));
  site.command('revoke <id>').action(onStore(revokeKey));

  program
    .command('forget')
    .description('deletes every call from or to a number, with its events')
    .addOption(requiredOption('--number <number>', 'in any form', readNumber))
    .action(
      onStore(async (store, { number }: { number: string }) => {
        const calls = await forgetNumber(store, number);
        process.stdout.write(`${calls} ${calls === 1 ? 'call' : 'calls'} forgotten\n`);
      }),
    );

  const forward = program
    .command('forward')
    .description('notifications on their way to DIALMARK_FORWARD_URL');
  forward
    .command('list')
    .description('those that wait for their next attempt, then the dead ones, given up')
    .action(onStore(listForwards));
  forward
    .command('retry <id>')
    .description('sends one again at once, with all attempts, or with "all" every dead one')
    .action(onStore(retryForwards));
  forward.command('drop <id>').description('deletes one, dead or waiting').action(onStore(dropForward));

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

function requiredOption<T>(flags: string, description: string, read: (text: string) => T): Option {
  return new Option(flags, description).argParser(read).makeOptionMandatory();
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
  fields: Pick<StoredKey, 'kind' | 'name' | 'origins' | 'callers' | 'clientCalls'>,
): Promise<void> {
  const { key, stored } = makeApiKey(fields, new Date());
  await store.keys.add(stored);
  process.stdout.write(`${key}\n`);
  process.stderr.write(`${stored.id}: keep the key now, it is shown this once\n`);
}

const printRow = (fields: readonly string[]) => process.stdout.write(`${fields.join('\t')}\n`);

async function listKeys(store: Store, kind: StoredKey['kind']): Promise<void> {
  for (const key of await store.keys.list()) {
    if (key.kind !== kind) continue;
    const state = key.revokedAt === undefined ? 'active' : `revoked ${key.revokedAt}`;
    const origins = kind === 'site' ? [key.origins.join(',')] : [key.clientCalls ? 'client calls' : '-'];
    printRow([key.id, state, key.createdAt, key.callers.join(','), ...origins, key.name]);
  }
}

async function listForwards(store: Store): Promise<void> {
  const forwards = await store.forwards.list(maxListed);
  for (const { id, dead, at, attempts, from, to, note } of forwards) {
    const state = dead ? 'dead' : 'waiting';
    const count = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
    printRow([id, state, new Date(at).toISOString(), count, maskNumber(from), maskNumber(to), note]);
  }
  if (forwards.length === maxListed) process.stderr.write(`only the first ${maxListed} are shown\n`);
}

async function retryForwards(store: Store, id: string): Promise<void> {
  const count = await store.forwards.retry(id === 'all' ? undefined : id, Date.now());
  if (count === 0 && id !== 'all') return reportUnknown(id, expectedForward);
  process.stdout.write(`${count} to be forwarded again\n`);
}

async function dropForward(store: Store, id: string): Promise<void> {
  if (!(await store.forwards.drop(id))) return reportUnknown(id, expectedForward);
  process.stdout.write(`${id} dropped\n`);
}

async function revokeKey(store: Store, id: string): Promise<void> {
  if (!(await store.keys.revoke(id, new Date().toISOString()))) return reportUnknown(id, expectedKey);
  process.stdout.write(`${id} revoked\n`);
}

const expectedForward = 'expected the id of a forward; `forward list` shows them';
const expectedKey = 'expected the id of an active key; `key list` and `site list` show them';

function reportUnknown(id: string, expected: string): void {
  process.stderr.write(`${id}: ${expected}\n`);
  process.exitCode = 1;
}

await commandLine(process.argv.slice(2), process.env);
