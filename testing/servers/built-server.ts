/**
 * Launches a built server of ours as an operator does: a process set up by its environment, with its command
 * line beside it.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Child, type ChildOptions, root, startChild } from '../child.ts';
import { until } from '../until.ts';
import { withPrefix } from '../with-prefix.ts';
import { startServer } from './start-server.ts';

/** More than a server takes to journal a dial that is in progress. */
const stopGraceMs = 12_000;

/** Variables without the server's prefix. DIALMARK_ variables of this process are not passed on. */
export type ServerEnvironment = Readonly<Record<string, string>>;

export interface BuiltServer {
  /** `dist/PART/main.js`; vitest's global setup and `openWorkstation` build it. */
  part: 'relay' | 'pbx';
  /** The prefix of its variables. */
  prefix: 'DIALMARK_' | 'DIALMARK_PBX_';
}

export interface ServerProcess {
  /** Where it listens: any free port unless `LISTEN` is set, and the same again after a restart. */
  readonly url: string;
  readonly pid: number;
  /** Everything it wrote so far, on both streams. */
  readonly output: () => string;
  /** Starts it again after `stop`. @throws Error with its output where it ends instead, or does not listen in time. */
  start(): Promise<void>;
  /** Sends SIGKILL by default. Resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number>;
  /** Runs a command on the same store. */
  run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** Runs a command and returns what it printed on stdout. @throws Error with its stderr where it fails. */
  print(...args: string[]): Promise<string>;
}

/** @param ownGroup true where a Ctrl-C in the terminal is not for the server. */
export async function startBuiltServer(
  built: BuiltServer,
  environment: ServerEnvironment,
  { ownGroup = false } = {},
): Promise<ServerProcess> {
  let listen = environment.LISTEN ?? '127.0.0.1:0';
  let url = '';
  let server: Child | undefined;
  let earlierOutput = '';
  const running: ServerProcess = {
    get url() {
      return url;
    },
    get pid() {
      return server?.process.pid ?? 0;
    },
    output: () => earlierOutput + (server?.output() ?? ''),
    async start() {
      earlierOutput += server?.output() ?? '';
      const { command, options } = invocation(built, [], { ...environment, LISTEN: listen });
      const started = await startServer(command, { ...options, ownGroup, ready: 'listening on ' });
      server = started;
      url = await until(() => /^listening on (\S+)\n/m.exec(started.stdout())?.[1], 'the address');
      listen = new URL(url).host;
    },
    stop: async (signal = 'SIGKILL') => server!.stop(signal, stopGraceMs),
    run: (...args) => runServerCommand(built, args, { ...environment, LISTEN: listen }),
    async print(...args) {
      const { code, stdout, stderr } = await running.run(...args);
      if (code !== 0) throw new Error(`${built.part} ${args[0]} exited with ${code}: ${stderr.trim()}`);
      return stdout.trim();
    },
  };
  await running.start();
  return running;
}

/**
 * Runs one command of a server's command line. Unless `LISTEN` is set, it does not look for a running server, because
 * it must not find another server of this machine.
 */
export async function runServerCommand(
  built: BuiltServer,
  args: readonly string[],
  environment: ServerEnvironment,
): ReturnType<ServerProcess['run']> {
  const { command, options } = invocation(built, args, { LISTEN: '127.0.0.1:0', ...environment });
  const child = startChild(command, options);
  return { code: await child.exited, stdout: child.stdout(), stderr: child.stderr() };
}

export const programOf = (part: BuiltServer['part']): string => path.join(root, `dist/${part}/main.js`);

function invocation(
  { part, prefix }: BuiltServer,
  args: readonly string[],
  variables: ServerEnvironment,
): { command: [string, ...string[]]; options: ChildOptions } {
  const program = programOf(part);
  if (!existsSync(program)) throw new Error(`${program} is missing: run \`npm run build -- ${part}\` first`);
  const inherited = Object.keys(process.env).filter((name) => name.startsWith('DIALMARK_'));
  const environment = {
    ...Object.fromEntries(inherited.map((name) => [name, undefined])),
    ...withPrefix(prefix, variables),
  };
  return { command: [process.execPath, program, ...args], options: { environment, ownGroup: false } };
}
