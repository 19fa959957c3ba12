/**
 * `npm run bench -- [numbers|page|relay|widget] [--corpus DIR] [--json FILE]`: every performance claim beside its peer.
 * Without a part, all of them one after the other.
 */
import { existsSync } from 'node:fs';
import { Argument, Command } from 'commander';

const parts = ['numbers', 'page', 'relay', 'widget'] as const;

interface Arguments {
  corpus?: string;
  json?: string;
}

async function runPart(part: string, args: Arguments): Promise<void> {
  const file = new URL(`./${part}/run.ts`, import.meta.url);
  if (!existsSync(file)) {
    console.log(`There is no bench for "${part}" yet: bench/${part}/run.ts does not exist.`);
    return;
  }
  const { run } = (await import(file.href)) as { run(args: Arguments): Promise<void> };
  await run(args);
}

await new Command('bench')
  .description('Measures Dialmark beside its peers and prints one table for each part.')
  .addArgument(new Argument('[part]', 'what to measure; everything without it').choices(parts))
  .option('--corpus <dir>', 'numbers: a folder of *.json corpora, each an array of {text, region, spans}')
  .option('--json <file>', 'write the figures to this file as JSON as well')
  .action(async (part: string | undefined, options: Arguments) => {
    for (const each of part ? [part] : parts) await runPart(each, options);
  })
  .parseAsync()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
