/** The command as a person and a script meet it: a process, a real terminal, exit codes. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/service.ts';
import { exitCodes } from './outcome.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const account = { email: 'admin@harbor.example', password: 'n0t-över-the-shoulder' };

let sandbox: Sandbox;
let folder: string;
let file: string;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, account });
  folder = await mkdtemp(path.join(tmpdir(), 'dialmark-register-process-'));
  file = path.join(folder, 'record.json');
  await writeFile(
    file,
    JSON.stringify({
      itc_register: [
        { uuid: '8f3e1c5a-0b7d-4a6e-9c2f-1d5b7a9e3c10', client_key: '', api_key: '', registered_itc: 0 },
      ],
      itc_consumers: [],
    }),
  );
});
afterAll(async () => {
  await sandbox?.close();
  await rm(folder, { recursive: true });
});

const args = () => [
  '--record',
  file,
  '--backup-folder',
  path.join(folder, 'backups'),
  '--register-api-url',
  sandbox.url,
];
const command = (...more: string[]) => ['--import', 'tsx', 'pbx/register/main.ts', ...more];

interface Running {
  process: ChildProcessWithoutNullStreams;
  said(): string;
  /** Resolves when this has been said. */
  until(text: string): Promise<void>;
  exit: Promise<number | null>;
}

function watch(child: ChildProcessWithoutNullStreams): Running {
  let said = '';
  const waiting: { text: string; resolve: () => void }[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk;
      for (const { text, resolve } of waiting) if (said.includes(text)) resolve();
    });
  // `close`, not `exit`: the last words may still be on their way when the process is gone.
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    process: child,
    said: () => said,
    exit,
    until: (text) =>
      Promise.race([
        new Promise<void>((resolve) => {
          waiting.push({ text, resolve });
          if (said.includes(text)) resolve();
        }),
        exit.then((code) => {
          throw new Error(`ended with ${code} before it said "${text}":\n${said}`);
        }),
      ]),
  };
}

/** `script` (util-linux) gives the command a terminal of its own. */
function onTerminal(...more: string[]): Running {
  const line = [process.execPath, ...command(...more)]
    .map((part) => `'${part.replaceAll("'", `'\\''`)}'`)
    .join(' ');
  return watch(
    spawn('script', ['-qec', line, '/dev/null'], { cwd: root, env: { ...process.env, TERM: 'xterm' } }),
  );
}

describe('npm run register', () => {
  it('on a terminal asks, never echoes the password, and takes corrections', async () => {
    const running = onTerminal(...args());
    await running.until('E-mail: ');
    running.process.stdin.write(`${account.email}\r`);
    await running.until('Password (not shown): ');
    running.process.stdin.write(`${account.password}xx`);
    running.process.stdin.write('\u007f\u007f\r');
    await running.until('Write this? [y/N] ');
    running.process.stdin.write('n\r');
    expect(await running.exit).toBe(3);
    expect(running.said()).toContain(account.email);
    expect(running.said()).not.toContain('n0t');
    expect(running.said()).not.toContain('over');
    expect(await readFile(file, 'utf8')).toContain('"client_key":""');
  });

  it('left by Ctrl-C at the password writes nothing and says so', async () => {
    const running = onTerminal(...args(), '--email', account.email);
    await running.until('Password (not shown): ');
    running.process.stdin.write('abc\u0003');
    expect(await running.exit).toBe(3);
    expect(running.said()).toContain('nothing was written');
  });

  it('for a script answers in one JSON object on stdout, everything else on stderr', async () => {
    const child = spawn(
      process.execPath,
      command(...args(), '--email', account.email, '--password-stdin', '--yes', '--json'),
      { cwd: root },
    );
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    const running = watch(child);
    child.stdin.end(`${account.password}\nnot the password\n`);
    expect(await running.exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ status: 'written' });
    expect(running.said()).not.toContain('over-the-shoulder');
  });

  it('refuses the password as an argument, and an option that it does not know, with 2', async () => {
    const running = watch(spawn(process.execPath, command('--password', 'secret'), { cwd: root }));
    expect(await running.exit).toBe(2);
    expect(running.said()).not.toContain('secret');
  });

  it('documents every exit code in --help and in docs/registration.md', async () => {
    const running = watch(spawn(process.execPath, command('--help'), { cwd: root }));
    expect(await running.exit).toBe(0);
    // The formatter pads tables.
    const document = (await readFile(path.join(root, 'docs/registration.md'), 'utf8')).replace(/ +/g, ' ');
    for (const [code, meaning] of Object.entries(exitCodes)) {
      expect(running.said()).toContain(`${code.padStart(2)}  ${meaning}`);
      expect(document).toContain(`| ${code} | ${meaning} |`);
    }
  });
});
