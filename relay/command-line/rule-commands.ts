/** `rules`: numbers that must not be called. `audit` and `report`: who did what. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { dayMs } from '../../shared/durations.ts';
import { parseDays, parseWrittenTime, readEnd } from './arguments.ts';
import { printAudit, printReport } from './audit-and-report.ts';
import { addListed, importList, printListed, removeListed } from './do-not-call.ts';
import type { InStore } from './store-beside-relay.ts';

const numberHelp = 'a number with its country code, or +5548* for all that begin so';

export function ruleCommands(program: Command, inStore: InStore): void {
  const rules = program.command('rules').description('numbers that must not be called');
  rules
    .command('add <number>')
    .description(`lists ${numberHelp}`)
    .addOption(new Option('--until <when>', 'its last day, or days from now, like 90d').argParser(readEnd))
    .option('--reason <text>', 'why')
    .action(
      inStore(({ store }, settings, number: string, options: { until?: string; reason?: string }) =>
        addListed(store, settings, number, options),
      ),
    );
  rules
    .command('remove <number>')
    .description(`takes ${numberHelp} off the list`)
    .action(inStore(({ store }, settings, number: string) => removeListed(store, settings, number)));
  rules
    .command('list')
    .description('number or prefix, who, when, until, source and reason of each entry')
    .action(inStore(({ store }) => printListed(store)));
  rules
    .command('import <file>')
    .description(
      'lists the numbers of a file, plain or CSV, up to 100,000; larger files are "lists" of the rules file',
    )
    .option('--column <column>', 'from 1, or its head; the first column with a number where absent')
    .option('--reason <text>', 'why')
    .action(
      inStore(({ store }, settings, file: string, options: { column?: string; reason?: string }) =>
        importList(store, settings, file, options),
      ),
    );
  const since = () =>
    new Option('--since <when>', 'a date, or days back like 7d')
      .argParser(readStart)
      .default(daysBack(1), '1d');
  program
    .command('audit')
    .description(
      'who called whom, overrode what, listed what, moved which entry, made which key, oldest first',
    )
    .addOption(since())
    .action(inStore(({ store }, _settings, options: { since: string }) => printAudit(store, options.since)));
  program
    .command('report')
    .description('calls, answered ones, talk time and callbacks by outcome, as CSV')
    .addOption(since())
    .option('--agents', 'by agent, too', false)
    .action(
      inStore(({ store }, _settings, options: { since: string; agents: boolean }) =>
        printReport(store, options.since, options.agents),
      ),
    );
}

const daysBack = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();

function readStart(text: string): string {
  const days = parseDays(text);
  if (days !== undefined) return daysBack(days);
  const at = parseWrittenTime(text);
  if (Number.isNaN(at))
    throw new InvalidArgumentError(`expected a date like 2027-01-31, or days back like 7d, got "${text}"`);
  return new Date(at).toISOString();
}
