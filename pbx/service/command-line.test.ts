import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { runPbxCommand } from './command-line.ts';

const missing = path.join(tmpdir(), `dialmark-no-such-folder-${process.pid}`, 'pbx.db');

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** Runs a command in this process. */
async function run(...args: string[]): Promise<{ code: unknown; stderr: string }> {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await runPbxCommand(args, { DIALMARK_PBX_STORE: missing });
  return { code: process.exitCode, stderr: write.mock.calls.map(([text]) => String(text)).join('') };
}

it.each([
  [['dance'], 'dance'],
  [['token', 'dance'], 'dance'],
])('lists the commands where %j is unknown', async (args, unknown) => {
  const { code, stderr } = await run(...args);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(new RegExp(`unknown command '${unknown}'[^]*\n  token add\n[^]*\n  check\n`)),
  ]);
});

it.each([
  ['forget', '--number', '+55 48 99999-8888'],
  ['token', 'list'],
  ['token', 'revoke', 'token-1'],
])('makes no store for %s %s, in which nothing would be found', async (...args) => {
  const { code, stderr } = await run(...args);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${missing}: there is no store`)]);
  expect(existsSync(missing)).toBe(false);
});
