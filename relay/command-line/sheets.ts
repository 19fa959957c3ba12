/** `sheet`: call sheets of the teams, beside a running relay. */
import { type Command, Option } from 'commander';
import { newCallId } from '../../shared/call/call.ts';
import { csvCell } from '../../shared/csv-cell.ts';
import { itemStates } from '../../shared/protocol/sheets.ts';
import { printNote, printRow, reportUnknown } from '../../shared/server/print.ts';
import { stopSignals } from '../../shared/server/stop-on-signal.ts';
import { readText } from '../directory/sources/text-file.ts';
import { homeOf, teamRulesOf } from '../rules/rules-file.ts';
import type { RelaySettings } from '../settings.ts';
import { readItems } from '../sheets/read-item.ts';
import { deletion, type NewItem, type SheetHead } from '../sheets/sheet.ts';
import type { Store } from '../store/store.ts';
import { readTeam, requiredOption } from './arguments.ts';
import { type InStore, writePages } from './store-beside-relay.ts';

const pageSize = 500;
const maxImported = 1_000_000;

interface ReopenOptions {
  from?: string;
  duplicates: boolean;
}

export function sheetCommands(program: Command, inStore: InStore): void {
  const sheet = program.command('sheet').description('call sheets: who is to be called by a team');
  sheet
    .command('import <file>')
    .description(
      'makes a sheet of a CSV with a head: phone, name, company, and the address of a record; prints its id',
    )
    .addOption(requiredOption('--team <team>', 'whose keys may call from it', readTeam))
    .addOption(new Option('--name <name>', 'what agents read').default('', 'the name of the file'))
    .action(
      inStore(({ store }, settings, file: string, options: { team: string; name: string }) =>
        importSheet(store, settings, file, options),
      ),
    );
  sheet
    .command('list')
    .description('id, team, when it was made, name, items in all, and how many are in which state')
    .action(inStore(({ store }) => listSheets(store)));
  sheet
    .command('progress')
    .description('the same as CSV')
    .action(inStore(({ store }) => printProgress(store)));
  // One id in 64 begins with "-".
  sheet
    .command('export <id>')
    .allowUnknownOption()
    .description('every item as CSV: number, name, record, state, due, attempts, agent, outcome')
    .action(inStore(({ store }, _settings, id: string) => exportSheet(store, id)));
  sheet
    .command('reopen <id>')
    .allowUnknownOption()
    .description('items that wait for an outcome are due again, for anybody')
    .option('--from <caller>', 'only those that this agent called')
    .option(
      '--duplicates',
      'instead those that were called from another sheet, for example a deleted one',
      false,
    )
    .action(
      inStore(({ store }, _settings, id: string, options: ReopenOptions) => reopenItems(store, id, options)),
    );
  sheet
    .command('delete <id>')
    .allowUnknownOption()
    .description('takes a sheet away; the running relay deletes its items bit by bit')
    .action(inStore(({ store }, _settings, id: string) => deleteSheet(store, id)));
}

/** Imports a whole file or nothing of it. */
async function importSheet(
  store: Store,
  settings: RelaySettings,
  file: string,
  { team, name }: { team: string; name: string },
): Promise<void> {
  const rules = teamRulesOf(settings.rulesFile, team);
  const home = homeOf(settings, rules);
  const items: NewItem[] = [];
  let unread = 0;
  for await (const item of readItems(readText(file), home, rules.templates)) {
    if (item) items.push(item);
    else unread++;
    if (items.length > maxImported) throw new Error(`${file}: more than ${maxImported} rows`);
  }
  if (items.length === 0)
    throw new Error(
      home.country
        ? `${file}: no number in it`
        : `${file}: no number with a country code in it; set DIALMARK_COUNTRY for others`,
    );
  const head = {
    id: newCallId(),
    name: name || file.replace(/^.*[\\/]/, ''),
    team,
    by: 'operator',
    createdAt: new Date().toISOString(),
  };
  const added = await addWhole(store, head, items).catch((error: Error) => {
    throw new Error(`${file}: ${error.message}`);
  });
  process.stdout.write(`${head.id}\n`);
  printNote(`items: ${added}`);
  if (unread > 0) printNote(`rows without a number: ${unread}`);
  if (added < items.length) printNote(`rows that repeat a number: ${items.length - added}`);
}

/**
 * Agents call from a sheet as soon as it has an item, so an incomplete sheet is removed again.
 * @returns how many items it has.
 * @throws Error where the store fails, the command is stopped, or an agent deletes the sheet.
 */
async function addWhole(store: Store, head: SheetHead, items: readonly NewItem[]): Promise<number> {
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  for (const signal of stopSignals) process.once(signal, stop);
  try {
    let added = 0;
    await writePages(items, async (page) => {
      added += await store.sheets.add(head, page, Date.now());
      if (isStopped) throw new Error('the import was stopped');
    });
    if (!(await store.sheets.find(head.id))) throw new Error('the sheet was deleted meanwhile');
    return added;
  } catch (error) {
    await store.sheets.remove(head.id);
    throw new Error(`${(error as Error).message}; nothing was imported`);
  } finally {
    for (const signal of stopSignals) process.off(signal, stop);
  }
}

async function progressRows(store: Store): Promise<(string | number)[][]> {
  return (await store.sheets.list()).map(({ id, team, createdAt, name, counts }) => {
    const states = itemStates.map((state) => counts[state]);
    return [id, team, createdAt, name, states.reduce((sum, count) => sum + count, 0), ...states];
  });
}

async function listSheets(store: Store): Promise<void> {
  for (const row of await progressRows(store)) printRow(row.map(String));
}

async function printProgress(store: Store): Promise<void> {
  printCsvLine(['sheet', 'team', 'createdAt', 'name', 'total', ...itemStates]);
  for (const row of await progressRows(store)) printCsvLine(row);
}

async function exportSheet(store: Store, id: string): Promise<void> {
  if (!(await store.sheets.find(id)))
    return reportUnknown(id, 'expected the id of a sheet; `sheet list` shows them');
  printCsvLine(['number', 'name', 'record', 'state', 'due', 'attempts', 'agent', 'outcome']);
  for (let after = 0, isLast = false; !isLast; ) {
    const items = await store.sheets.items(id, after, pageSize);
    for (const { number, name, record, state, due, attempts, caller, outcome } of items)
      printCsvLine([
        number,
        name,
        record && `${record.system} ${record.kind} ${record.id}`,
        state,
        state === 'open' ? new Date(due).toISOString() : undefined,
        attempts,
        caller,
        outcome,
      ]);
    isLast = items.length < pageSize;
    after = items.at(-1)?.id ?? after;
  }
}

async function reopenItems(store: Store, id: string, { from, duplicates }: ReopenOptions): Promise<void> {
  if (!(await store.sheets.find(id)))
    return reportUnknown(id, 'expected the id of a sheet; `sheet list` shows them');
  const state = duplicates ? 'duplicate' : 'called';
  process.stdout.write(`${await store.sheets.reopen(id, state, from, Date.now())} items reopened\n`);
}

async function deleteSheet(store: Store, id: string): Promise<void> {
  const sheet = await store.sheets.find(id);
  if (!sheet || !(await store.sheets.remove(id)))
    return reportUnknown(id, 'expected the id of a sheet; `sheet list` shows them');
  await store.rules.record([deletion(sheet, 'operator')]);
  process.stdout.write(`${id} deleted\n`);
}

const printCsvLine = (cells: readonly (string | number | undefined)[]): void => {
  process.stdout.write(`${cells.map(csvCell).join(',')}\r\n`);
};
