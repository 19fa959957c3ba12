/** Compares the effort of each kind of user up to the first call with the goals. Tests count the effort. */
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root, startChild } from '../../testing/child.ts';
import {
  type Effort,
  goals,
  type RecordedWalk,
  type Walker,
  walksFileVariable,
  walkTitle,
} from '../../testing/first-call-walk.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { trackedFiles } from '../../testing/tracked-files.ts';
import { formatTable } from '../table.ts';

/** Prints one table; `json`: a file that gets every walk. @throws Error where a walk failed. */
export async function run({ json }: { json?: string }): Promise<void> {
  const folder = await temporaryFolder();
  const file = folder.file('walks');
  try {
    const failed: string[] = [];
    for (const [runner, tests] of [
      ['node_modules/vitest/vitest.mjs', testsThatWalk('*.test.ts')],
      ['node_modules/@playwright/test/cli.js', testsThatWalk('*.spec.ts')],
    ] as const) {
      if (tests.length === 0) continue;
      const isVitest = runner.includes('vitest');
      // One at a time: they are timed.
      const args = isVitest
        ? ['run', '--no-file-parallelism', '-t', walkTitle]
        : ['test', '--workers', '1', '--grep', walkTitle];
      const child = startChild([process.execPath, runner, ...args, ...tests], {
        environment: { [walksFileVariable]: file },
      });
      if ((await child.exited) !== 0) failed.push(child.output());
    }
    const lines = (await readFile(file, 'utf8').catch(() => '')).trim().split('\n').filter(Boolean);
    const walks = lines.map((line) => JSON.parse(line) as RecordedWalk);
    console.log('\nwalks: from nothing to the first call, by the tests that walk it');
    console.log(formatTable([['', 'done', 'goal', ''], ...walks.map(row)]));
    const missing = (Object.keys(goals) as Walker[]).filter(
      (walker) => !walks.some((walk) => walk.walker === walker),
    );
    if (json !== undefined) await writeFile(json, JSON.stringify({ walks, goals }, null, 2));
    if (missing.length > 0) failed.push(`no test walks for: ${missing.join(', ')}`);
    if (failed.length > 0) throw new Error(failed.join('\n'));
  } finally {
    await folder.remove();
  }
}

/** Test files with a title that begins as those of walks do. */
const testsThatWalk = (pattern: string): string[] =>
  trackedFiles(pattern).filter((test) => readFileSync(path.join(root, test), 'utf8').includes(walkTitle));

const inWords = (effort: Effort): string =>
  Object.entries(effort)
    .map(([what, count]) => `${Math.round(count)} ${Math.round(count) === 1 ? what.slice(0, -1) : what}`)
    .join(', ');

function row({ walker, where, effort }: RecordedWalk): string[] {
  const goal: Effort = goals[walker];
  const isKept = Object.entries(goal).every(([what, most]) => (effort[what as keyof Effort] ?? 0) <= most);
  return [
    [walker, where].filter(Boolean).join(', '),
    inWords(effort),
    inWords(goal),
    isKept ? 'kept' : 'MISSED',
  ];
}
