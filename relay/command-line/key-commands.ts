/** `key`: makes, lists, renews and ends the keys of agents. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { hourMs } from '../../shared/durations.ts';
import type { NewKey } from '../access/api-key.ts';
import { type KeyRight, keyRights } from '../store/stored-key.ts';
import {
  addKey,
  addKeyAsSetupCode,
  handOver,
  listKeys,
  revokeKey,
  revokeKeysOf,
  rotateKey,
} from './api-keys.ts';
import { createOption, readCallers, readEnd, readTeam, requiredOption } from './arguments.ts';
import type { InStore } from './store-beside-relay.ts';

interface KeyOptions {
  from: string[];
  name: string;
  team?: string;
  right?: KeyRight[];
  expires?: string;
  clientCalls: boolean;
  setupCode: boolean;
  create: boolean;
}

interface RevokeOptions {
  from?: string[];
  handOver?: string;
}

const defaultOverlapHours = 24;
const callersHelp = 'codes of agents or extensions, separated by commas';

export function keyCommands(program: Command, inStore: InStore): void {
  const key = program.command('key').description('agent keys');
  key
    .command('add')
    .description('makes an agent key and prints it, once')
    .addOption(requiredOption('--from <callers>', callersHelp, readCallers))
    .option('--name <name>', 'whose it is', '')
    .addOption(
      new Option(
        '--team <team>',
        'whose rules it has; one number is called by one agent of all teams at a time',
      ).argParser(readTeam),
    )
    .addOption(
      new Option('--right <rights>', `some of ${keyRights.join(', ')}, separated by commas`).argParser(
        readRights,
      ),
    )
    .addOption(expiresOption())
    .option(
      '--client-calls',
      'may announce calls that the agent’s browser places itself (direct mode)',
      false,
    )
    .option(
      '--setup-code',
      'prints one string with the relay’s address, the extensions and the key, ' +
        'to be pasted into the extension’s settings',
      false,
    )
    .addOption(createOption())
    .action(
      inStore(
        (opened, settings, options: KeyOptions) => {
          const fields = fieldsOf(options);
          return options.setupCode ? addKeyAsSetupCode(opened, fields, settings) : addKey(opened, fields);
        },
        ({ create }) => create,
      ),
    );
  key
    .command('list')
    .description(
      'id, state, when it was made, callers, client calls, team, rights, last use and name of each; ' +
        'never the key itself',
    )
    .action(inStore(({ store }) => listKeys(store, 'agent')));
  key
    .command('revoke [id]')
    .description('ends a key and every stream opened with it; with --from every key of an agent who leaves')
    .addOption(new Option('--from <caller>', 'code of the agent or extension').argParser(readCallers))
    .option('--hand-over <caller>', 'with --from: the colleague who gets the callbacks')
    .action(
      inStore(async ({ store }, _settings, id: string | undefined, options: RevokeOptions) => {
        const { from, handOver: colleague } = options;
        if ((id === undefined) === (from === undefined) || (colleague !== undefined && !from))
          throw new Error('expected the id of a key, or --from');
        if (id !== undefined) return revokeKey(store, id);
        if (colleague !== undefined) await handOver(store, from!, colleague);
        return revokeKeysOf(store, from!);
      }),
    );
  key
    .command('rotate <id>')
    .description('makes a key with the same callers, team, rights and end; the old one ends after an overlap')
    .addOption(
      new Option('--overlap <hours>', 'how long the old one stays valid')
        .argParser(readHours)
        .default(defaultOverlapHours),
    )
    .addOption(expiresOption())
    .action(
      inStore((opened, _settings, id: string, { overlap, expires }: { overlap: number; expires?: string }) =>
        rotateKey(opened, id, new Date(Date.now() + overlap * hourMs), expires),
      ),
    );
}

const expiresOption = () =>
  new Option('--expires <when>', 'the last day, like 2027-01-31, or days from now, like 90d').argParser(
    readEnd,
  );

function fieldsOf({ from, name, team, right, expires, clientCalls }: KeyOptions): NewKey {
  return {
    kind: 'agent',
    name,
    origins: [],
    callers: from,
    clientCalls,
    ...(team ? { team } : {}),
    ...(right ? { rights: right } : {}),
    ...(expires === undefined ? {} : { expiresAt: expires }),
  };
}

function readRights(text: string): KeyRight[] {
  const rights = text.split(',').map((part) => part.trim());
  const wrong = rights.find((right) => !keyRights.some((known) => known === right));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`expected some of ${keyRights.join(', ')}, got "${wrong}"`);
  return [...new Set(rights)] as KeyRight[];
}

function readHours(text: string): number {
  if (!/^\d{1,5}(\.\d+)?$/.test(text)) throw new InvalidArgumentError(`expected hours, got "${text}"`);
  return Number(text);
}
