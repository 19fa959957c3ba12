/** Launches a built server of ours as an operator does: a process set up by its environment, with its command line beside it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Child, root, startChild } from '../../tools/child.ts';

/** A busy machine may take half a minute to start any program. */
const startTimeoutMs = 120_000;
/** More than a server takes to journal a dial that is in progress. */
const stopGraceMs = 12_000;

/** Variables without the server's prefix. DIALMARK_ variables of this process are not passed on. */
export type ServerEnvironment = Readonly<Record<string, string>>;

export interface BuiltServer {
  /** `dist/PART/main.js`; vitest's global setup and `openWorkstation` build it. */
  part: 'relay' | 'pbx';
  /** Of its variables. */
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
      server = launch(built, [], { ...environment, LISTEN: listen }, ownGroup);
      url = await listening(built, server);
      listen = new URL(url).host;
    },
    stop: async (signal = 'SIGKILL') => server!.stop(signal, stopGraceMs),
    run: (...args) => runServerCommand(built, args, environment),
    async print(...args) {
      const { code, stdout, stderr } = await running.run(...args);
      if (code !== 0) throw new Error(`${built.part} ${args[0]} exited with ${code}: ${stderr.trim()}`);
      return stdout.trim();
    },
  };
  await running.start();
  return running;
}

/** Runs one command of a server's command line, beside a running server or without one. */
export async function runServerCommand(
  built: BuiltServer,
  args: readonly string[],
  environment: ServerEnvironment,
): ReturnType<ServerProcess['run']> {
  const command = launch(built, args, environment, false);
  return { code: await command.exited, stdout: command.stdout(), stderr: command.stderr() };
}

export const programOf = (part: BuiltServer['part']): string => path.join(root, `dist/${part}/main.js`);

function launch(
  { part, prefix }: BuiltServer,
  args: readonly string[],
  environment: ServerEnvironment,
  ownGroup: boolean,
): Child {
  const program = programOf(part);
  if (!existsSync(program)) throw new Error(`${program} is missing: run \`npm run build -- ${part}\` first`);
  const inherited = Object.keys(process.env).filter((name) => name.startsWith('DIALMARK_'));
  return startChild([process.execPath, program, ...args], {
    environment: {
      ...Object.fromEntries(inherited.map((name) => [name, undefined])),
      ...Object.fromEntries(Object.entries(environment).map(([name, value]) => [prefix + name, value])),
    },
    ownGroup,
  });
}

/** Resolves with the address once the server prints it. */
async function listening({ part }: BuiltServer, server: Child): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const failure = Promise.race([
    server.exited.then((code) => `ended with ${code}`),
    new Promise<string>((resolve) => {
      timer = setTimeout(resolve, startTimeoutMs, `does not listen after ${startTimeoutMs / 1000} s`);
    }),
  ]).then((how) => {
    server.process.kill('SIGKILL');
    throw new Error(`${part} ${how}:\n${server.output().trim()}`);
  });
  const url = new Promise<string>((resolve) =>
    server.process.stdout!.on('data', () => {
      const found = /^listening on (\S+)\n/m.exec(server.stdout());
      if (found) resolve(found[1]!);
    }),
  );
  return Promise.race([url, failure]).finally(() => clearTimeout(timer));
}
