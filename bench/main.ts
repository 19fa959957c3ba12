/**
 * `npm run bench -- [PART] [OPTIONS]` measures Dialmark beside its peers. Without a part, it measures every part.
 * `--help` lists the parts and the options.
 */
import { Argument, Command } from 'commander';
import { buildStale } from '../tools/build.ts';

/** Options by name. Each bench declares those that it reads. */
type Options = Record<string, string>;

const parts: Record<string, () => Promise<{ run(options: Options): Promise<void> }>> = {
  lists: () => import('./lists/run.ts'),
  directory: () => import('./directory/run.ts'),
  growth: () => import('./growth/run.ts'),
  log: () => import('./log/run.ts'),
  numbers: () => import('./numbers/run.ts'),
  page: () => import('./page/run.ts'),
  pages: () => import('./pages/run.ts'),
  relay: () => import('./relay/run.ts'),
  sheets: () => import('./sheets/run.ts'),
  widget: () => import('./widget/run.ts'),
  walks: () => import('./walks/run.ts'),
};

await new Command('bench')
  .description('Measures Dialmark beside its peers and prints one table for each part.')
  .addArgument(new Argument('[part]', 'what to measure; default: every part').choices(Object.keys(parts)))
  .option('--corpus <dir>', 'numbers: a folder of *.json corpora, each an array of {text, region, spans}')
  .option('--explain <text>', 'numbers: print only what speaks for and against the numbers of a text')
  .option('--cases <file>', 'pages: a file of cases, an array of {name, kind, html, wanted: [digits]}')
  .option('--rows <n>', 'lists: numbers of the register')
  .option('--items <n>', 'sheets: items that are called while relays are killed')
  .option('--kills <n>', 'log: kills of relay, CRM and network, in all')
  .option('--backlog <n>', 'log: entries that wait in each CRM after three days without it')
  .option('--calls <n>', 'log: calls whose way from their end to the entry is timed')
  .option('--systems <names>', 'log: some of rt, redmine, tryton, odoo')
  .option('--agents <which>', 'pages: only those by the agents’ country: own, all, or a folder of such files')
  .option('--json <file>', 'write the figures to this file as JSON as well')
  .action(async (part: string | undefined, options: Options) => {
    // A relay in this process runs from its sources, but its threads and children are built files.
    await buildStale(['relay']);
    for (const name of part ? [part] : Object.keys(parts)) await (await parts[name]!()).run(options);
  })
  .parseAsync()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
