/** The calling service as an operator runs it: a process of its own beside an Asterisk, which a test may kill and start again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../servers/free-port.ts';
import { until } from '../until.ts';
import { amiSecret, amiUser } from './asterisk-configuration.ts';
import type { Asterisk } from './start-asterisk.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const startTimeoutMs = 60_000;

export interface PbxServiceProcess {
  readonly url: string;
  readonly token: string;
  output(): string;
  start(): Promise<void>;
  /** SIGKILL unless another is given; resolves when the process is gone. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** @param settings `DIALMARK_PBX_` variables without the prefix; `AMI` may lead through a proxy. */
export async function startPbxServiceProcess(
  asterisk: Asterisk,
  settings: Record<string, string> = {},
): Promise<PbxServiceProcess> {
  const port = await freePort();
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('DIALMARK_'));
  const all: Record<string, string> = {
    LISTEN: `127.0.0.1:${port}`,
    STORE: path.join(asterisk.folder, `pbx-${port}.db`),
    AMI: `127.0.0.1:${asterisk.ports.ami}`,
    AMI_USER: amiUser,
    AMI_SECRET: amiSecret,
    RECORDINGS_FOLDER: asterisk.recordingsFolder,
    ...settings,
  };
  const environment = {
    ...Object.fromEntries(own),
    ...Object.fromEntries(Object.entries(all).map(([name, value]) => [`DIALMARK_PBX_${name}`, value])),
  };
  let output = '';
  const launch = (...args: string[]) => {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', path.join(root, 'pbx/service/main.ts'), ...args],
      {
        cwd: root,
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    return child;
  };
  const adding = launch('token', 'add');
  let token = '';
  adding.stdout.on('data', (chunk) => (token += chunk));
  await once(adding, 'close');
  let child: ReturnType<typeof launch> | undefined;
  const url = `http://127.0.0.1:${port}`;
  const start = async () => {
    const started = launch();
    child = started;
    await until(
      async () => {
        if (started.exitCode !== null) throw new Error(`the calling service ended:\n${output}`);
        return fetch(`${url}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        );
      },
      'the calling service',
      startTimeoutMs,
    );
  };
  await start();
  return {
    url,
    token: token.trim(),
    output: () => output,
    start,
    async stop(signal = 'SIGKILL') {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await once(child, 'exit');
    },
  };
}
