/** A machine without files or memory left starts no child: the list's build fails, and the relay goes on. */
import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { afterAll, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import { until } from '../../../testing/until.ts';
import { NumberLists } from './number-lists.ts';

const spawn = vi.hoisted(() => vi.fn());
vi.mock('node:child_process', async (original) => ({
  ...(await original<typeof import('node:child_process')>()),
  spawn,
}));

const folder = await temporaryFolder();
afterAll(() => folder.remove());

/** As Node does where no file is left for the child's pipes. */
function withoutPipes() {
  const child = new EventEmitter();
  process.nextTick(() => child.emit('error', new Error('spawn EMFILE')));
  return child;
}

it.each([
  ['spawn EMFILE', withoutPipes],
  [
    'spawn ENOMEM',
    () => {
      throw new Error('spawn ENOMEM');
    },
  ],
])('a build that cannot start is a failure of its list: %s', async (failure, start) => {
  spawn.mockImplementation(start);
  const lists = new NumberLists(folder.file('lists'), pino({ level: 'silent' }));
  lists.use([{ name: 'national', from: '/list' }], 'BR');
  const state = await until(() => lists.states(Date.now()).find((each) => each.failure), 'the failure');
  expect(state.failure).toBe(failure);
  lists.stop();
});
