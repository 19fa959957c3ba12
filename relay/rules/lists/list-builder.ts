/** The child process of `number-lists.ts`: builds one list, and prints its size or what is wrong with it. */
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { BuildJob, buildList } from './build-list.ts';

try {
  // The relay's calls come first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const job = BuildJob.parse(JSON.parse(await text(process.stdin)));
  process.stdout.write(JSON.stringify(await buildList(job)));
} catch (error) {
  process.stdout.write(JSON.stringify({ error: (error as Error).message }));
  process.exitCode = 1;
}
