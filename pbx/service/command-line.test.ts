import { afterEach, expect, it, vi } from 'vitest';
import { runPbxCommand } from './command-line.ts';

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** Runs a command in this process. */
async function run(...args: string[]): Promise<{ code: unknown; stderr: string }> {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await runPbxCommand(args, {});
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
