/** Launches the built relay as an operator does: a process set up by its environment, with its command line beside it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Child, root, startChild } from '../../tools/child.ts';

/** Built by `npm run build`; vitest's global setup and `openWorkstation` see to it. */
export const relayProgram = path.join(root, 'dist/relay/main.js');
/** A busy machine may take half a minute to start any program. */
const startTimeoutMs = 120_000;
/** More than the relay takes to journal a dial that is in progress. */
const stopGraceMs = 12_000;

/** DIALMARK_ variables without the prefix. Those of this process are not passed on. */
export type RelayEnvironment = Readonly<Record<string, string>>;

export interface RelayProcess {
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

/** @param ownGroup true where a Ctrl-C in the terminal is not for the relay. */
export async function startRelayProcess(
  environment: RelayEnvironment,
  { ownGroup = false } = {},
): Promise<RelayProcess> {
  let listen = environment.LISTEN ?? '127.0.0.1:0';
  let url = '';
  let server: Child | undefined;
  let earlierOutput = '';
  const relay: RelayProcess = {
    get url() {
      return url;
    },
    get pid() {
      return server?.process.pid ?? 0;
    },
    output: () => earlierOutput + (server?.output() ?? ''),
    async start() {
      earlierOutput += server?.output() ?? '';
      server = launch([], { ...environment, LISTEN: listen }, ownGroup);
      url = await listening(server);
      listen = new URL(url).host;
    },
    stop: async (signal = 'SIGKILL') => server!.stop(signal, stopGraceMs),
    run: (...args) => runRelayCommand(args, environment),
    async print(...args) {
      const { code, stdout, stderr } = await relay.run(...args);
      if (code !== 0) throw new Error(`relay ${args[0]} exited with ${code}: ${stderr.trim()}`);
      return stdout.trim();
    },
  };
  await relay.start();
  return relay;
}

/** Runs one command of the relay's command line, beside a running relay or without one. */
export async function runRelayCommand(
  args: readonly string[],
  environment: RelayEnvironment,
): ReturnType<RelayProcess['run']> {
  const command = launch(args, environment, false);
  return { code: await command.exited, stdout: command.stdout(), stderr: command.stderr() };
}

function launch(args: readonly string[], environment: RelayEnvironment, ownGroup: boolean): Child {
  if (!existsSync(relayProgram))
    throw new Error(`${relayProgram} is missing: run \`npm run build -- relay\` first`);
  const inherited = Object.keys(process.env).filter((name) => name.startsWith('DIALMARK_'));
  return startChild([process.execPath, relayProgram, ...args], {
    environment: {
      ...Object.fromEntries(inherited.map((name) => [name, undefined])),
      ...Object.fromEntries(Object.entries(environment).map(([name, value]) => [`DIALMARK_${name}`, value])),
    },
    ownGroup,
  });
}

/** Resolves with the address once the relay prints it. */
async function listening(relay: Child): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const failure = Promise.race([
    relay.exited.then((code) => `ended with ${code}`),
    new Promise<string>((resolve) => {
      timer = setTimeout(resolve, startTimeoutMs, `does not listen after ${startTimeoutMs / 1000} s`);
    }),
  ]).then((how) => {
    relay.process.kill('SIGKILL');
    throw new Error(`the relay ${how}:\n${relay.output().trim()}`);
  });
  const url = new Promise<string>((resolve) =>
    relay.process.stdout!.on('data', () => {
      const found = /^listening on (\S+)\n/m.exec(relay.stdout());
      if (found) resolve(found[1]!);
    }),
  );
  return Promise.race([url, failure]).finally(() => clearTimeout(timer));
}
