/** A relay as a process of its own, for tests that kill it: built anew once per test file, aside from `dist/relay`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { afterAll } from 'vitest';
import { projectFile } from '../../shared/server/project-file.ts';
import { type RelayProcess, relayProcess } from './relay-process.ts';

export type { RelayProcess };

// Starting from TypeScript takes seconds each time.
const folder = projectFile(`dist/.relay-test-${process.pid}-${Date.now()}`);
const program = `${folder}/main.js`;
let built: Promise<void> | undefined;
afterAll(() => rm(folder, { recursive: true, force: true }));

async function build(): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      projectFile('node_modules/vite/bin/vite.js'),
      'build',
      '--mode',
      'relay',
      '--outDir',
      folder,
      '--logLevel',
      'warn',
    ],
    { cwd: projectFile('.'), stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the relay could not be built (${code})`);
}

/** Path of its `main.js`. */
export async function builtRelay(): Promise<string> {
  built ??= build();
  await built;
  return program;
}

/** @param settings DIALMARK_ variables without the prefix. */
export async function startRelayProcess(settings: Record<string, string>): Promise<RelayProcess> {
  const relay = relayProcess({ settings, program: await builtRelay() });
  await relay.start();
  return relay;
}

/** Runs one command of the relay's command line. */
export async function runRelayCommand(
  args: readonly string[],
  settings: Record<string, string>,
): ReturnType<RelayProcess['run']> {
  return relayProcess({ settings, program: await builtRelay() }).run(...args);
}
