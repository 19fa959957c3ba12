import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { freePort } from '../testing/servers/free-port.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
let running: ReturnType<typeof start> | undefined;
afterEach(() => void running?.kill('SIGKILL'));

/** Starts the command with its output to a full disk. */
function start(...args: string[]) {
  const command = ['--import', 'tsx', 'sandbox/main.ts', ...args];
  return spawn(process.execPath, command, {
    cwd: root,
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  });
}

it('says in one line that a full disk took its output', async () => {
  running = start('--scenarios');
  expect(await text(running.stderr!)).toMatch(/^stdout: ENOSPC.*\n$/);
});

it('serves on where a full disk takes its output', async () => {
  const port = await freePort();
  running = start('--port', String(port));
  await once(running.stderr!, 'data');
  expect((await fetch(`http://127.0.0.1:${port}/crm/`)).status).toBe(200);
});
