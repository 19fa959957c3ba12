/**
 * The built relay as an operator runs it: a process of its own, set up by its environment, with its command line beside it.
 * The demo and every test that kills a relay start it here.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from '../child.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** For one that hangs: a busy machine may take half a minute to start any program. */
const startMilliseconds = 120_000;
/** What a relay takes at most to let a dial under way be written down, and a little. */
const stopGrace = 12_000;

export interface RelayProcessOptions {
  /** DIALMARK_ variables without the prefix; those of this process are not the relay's. */
  settings: Readonly<Record<string, string>>;
  /** `main.js` of the build; the one in `dist/relay` unless told. */
  program?: string;
  /** True where a Ctrl-C in the terminal is not for the relay: whoever started it ends it. */
  ownGroup?: boolean;
}

export interface RelayProcess {
  /** Where it listens, once it does; the first start takes any free port unless told, and every later one the same again. */
  readonly url: string;
  readonly pid: number;
  /** Everything it wrote so far, both streams. */
  readonly output: () => string;
  /** Resolves when it listens. @throws Error with its output where it ends instead, or does not listen in time. */
  start(): Promise<void>;
  /** SIGKILL unless told; resolves when it is gone, and whatever ran beside it. @returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number>;
  /** Runs a command beside it, on the same store. */
  run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** As `run`. @returns what it printed on stdout. @throws Error with its own words where it fails. */
  print(...args: string[]): Promise<string>;
}

/** Nothing runs yet. */
export function relayProcess(options: RelayProcessOptions): RelayProcess {
  const program = options.program ?? path.join(root, 'dist/relay/main.js');
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('DIALMARK_'));
  const settings = Object.entries(options.settings).map(([name, value]) => [`DIALMARK_${name}`, value]);
  let listen = options.settings.LISTEN ?? '127.0.0.1:0';
  let url = `http://${listen}`;
  let relay: Child | undefined;
  let before = '';
  const commands = new Set<Child>();

  const launch = (args: readonly string[]) => {
    if (!existsSync(program)) throw new Error(`${program} is missing: run \`npm run build\` first`);
    return startChild(
      [program, ...args],
      { ...Object.fromEntries([...own, ...settings]), DIALMARK_LISTEN: listen },
      root,
      () => {},
      options.ownGroup ?? false,
    );
  };
  const end = async (child: Child, signal: NodeJS.Signals) => {
    if (signal === 'SIGTERM') await child.end(stopGrace);
    else child.process.kill(signal);
    return child.exited;
  };
  const run: RelayProcess['run'] = async (...args) => {
    const command = launch(args);
    commands.add(command);
    let stdout = '';
    let stderr = '';
    command.process.stdout?.on('data', (chunk) => (stdout += chunk));
    command.process.stderr?.on('data', (chunk) => (stderr += chunk));
    const code = await command.exited.finally(() => commands.delete(command));
    return { code, stdout, stderr };
  };

  return {
    get url() {
      return url;
    },
    get pid() {
      return relay?.process.pid ?? 0;
    },
    output: () => before + (relay?.output() ?? ''),
    async start() {
      before += relay?.output() ?? '';
      const started = launch([]);
      relay = started;
      url = await listening(started);
      listen = new URL(url).host;
    },
    async stop(signal = 'SIGKILL') {
      await Promise.all([...commands].map((command) => end(command, signal)));
      return relay ? end(relay, signal) : 0;
    },
    run,
    async print(...args) {
      const { code, stdout, stderr } = await run(...args);
      if (code !== 0) throw new Error(`relay ${args[0]} exited with ${code}: ${stderr.trim()}`);
      return stdout.trim();
    },
  };
}

async function listening(relay: Child): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const url = new Promise<string>((resolve) =>
    relay.process.stdout?.on('data', () => {
      const found = /^listening on (\S+)\n/m.exec(relay.output());
      if (found) resolve(found[1]!);
    }),
  );
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(
      () => resolve(`does not listen after ${startMilliseconds / 1000} s`),
      startMilliseconds,
    );
  });
  const ended = relay.exited.then((code) => `ended with ${code}`);
  const failed = Promise.race([late, ended]).then((how) => {
    relay.process.kill('SIGKILL');
    throw new Error(`the relay ${how}:\n${relay.output().trim()}`);
  });
  return Promise.race([url, failed]).finally(() => clearTimeout(timer));
}
