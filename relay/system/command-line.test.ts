import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeSetupCode } from '../../shared/protocol/setup-code.ts';
import { startChild } from '../../testing/child.ts';
import {
  type RelayProcess,
  relayProgram,
  runRelayCommand,
  startRelayProcess,
} from '../../testing/relay/relay-process.ts';
import { announce, ask, hangup, newClick, readEvents } from '../../testing/relay/test-relay.ts';
import { freePort } from '../../testing/servers/free-port.ts';
import { type TemporaryFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';

let folder: TemporaryFolder;
let environment: Record<string, string>;
let relay: RelayProcess;
const run = (...args: string[]) => relay.run(...args);

beforeAll(async () => {
  folder = await temporaryFolder();
  environment = {
    STORE: `sqlite:${folder.file('deep/inside/relay.db')}`,
    COUNTRY: 'BR',
    AREA_CODE: '48',
  };
  relay = await startRelayProcess(environment);
});
afterAll(async () => {
  await relay.stop();
  await folder.remove();
});

describe('the command line beside a running relay', () => {
  it('prints a key that is valid at once, until its revocation ends its streams', async () => {
    const { code, stdout, stderr } = await run('key', 'add', '--from', '1105');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^dma_[A-Za-z0-9_-]{43}\n$/);
    const key = stdout.trim();
    const id = /agent-[0-9a-f]+/.exec(stderr)![0];
    expect(stderr).toContain(folder.file('deep/inside/relay.db'));
    expect((await ask(relay.url, '/v1/calls', { as: key })).status).toBe(200);

    const list = await run('key', 'list');
    expect(list.stdout).toMatch(`${id}\tactive`);
    expect(list.stdout).not.toMatch(key);
    const announced = { as: key, body: { to: '99', placedBy: 'client' }, headers: newClick() };
    expect((await ask(relay.url, '/v1/calls', announced)).status).toBe(403);

    const reader = await readEvents(relay.url, key);
    expect((await run('key', 'revoke', id)).code).toBe(0);
    const revokedAt = performance.now();
    await reader.ended;
    // The promise is a second. A machine that is busy with everything else gets more, a relay that never notices gets none.
    expect(performance.now() - revokedAt).toBeLessThan(10_000);
    expect((await ask(relay.url, '/v1/calls', { as: key })).status).toBe(401);
    expect((await run('key', 'list')).stdout).toMatch(`${id}\trevoked`);
    expect((await run('key', 'revoke', id)).code).toBe(1);
  });

  it('ends the tickets of a site with its key', async () => {
    const added = await run('site', 'add', 'crm', '--origin', 'https://crm.example', '--from', '1105,1106');
    const key = added.stdout.trim();
    const made = await ask(relay.url, '/v1/tickets', { as: key, body: { from: '1106', rights: ['watch'] } });
    const reader = await readEvents(relay.url, made.body.ticket);
    await run('site', 'revoke', /site-[0-9a-f]+/.exec(added.stderr)![0]);
    await reader.ended;
    expect((await ask(relay.url, '/v1/calls', { as: made.body.ticket })).status).toBe(401);
  });

  it('prints a setup code with address, extensions, key, alone on stdout', async () => {
    const { code, stdout, stderr } = await run('key', 'add', '--from', '1105,1106', '--setup-code');
    expect([code, stdout.trim().split('\n')]).toEqual([0, [expect.any(String)]]);
    const setup = decodeSetupCode(stdout)!;
    expect(setup).toEqual({
      relayUrl: relay.url,
      callers: ['1105', '1106'],
      key: expect.any(String),
      country: 'BR',
      areaCode: '48',
    });
    expect((await ask(relay.url, '/v1/calls', { as: setup.key })).status).toBe(200);
    expect(stderr).toMatch('DIALMARK_PUBLIC_URL: not set');
    expect(stderr).not.toContain(setup.key);
  });

  it('refuses to write another store than that of the relay at its address', async () => {
    const elsewhere = { STORE: `sqlite:${folder.file('other.db')}`, LISTEN: new URL(relay.url).host };
    await runRelayCommand(['key', 'add', '--from', '1105', '--create'], { STORE: elsewhere.STORE });
    const { code, stdout, stderr } = await runRelayCommand(['key', 'add', '--from', '1105'], elsewhere);
    expect([code, stdout]).toEqual([1, '']);
    for (const name of [folder.file('other.db'), relay.url, 'DIALMARK_STORE', '--settings'])
      expect(stderr).toContain(name);
  });

  it('makes no store unless asked to', async () => {
    const file = folder.file('typing-error/relay.db');
    const add = (...more: string[]) =>
      runRelayCommand(['key', 'add', '--from', '1105', ...more], { STORE: `sqlite:${file}` });
    const { code, stdout, stderr } = await add();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(file);
    expect(stderr).toContain('--create');
    expect(existsSync(file)).toBe(false);
    expect((await add('--create')).stdout).toMatch(/^dma_/);
    expect((await runRelayCommand(['key', 'add', '--from', '1105'], { STORE: 'memory:' })).code).toBe(1);
  });

  it('offers --create to no command that does not have it', async () => {
    const settings = { STORE: `sqlite:${folder.file('none/relay.db')}` };
    for (const args of [
      ['key', 'list'],
      ['site', 'list'],
      ['audit', '--since', '1d'],
      ['forget', '--number', '4833224455'],
    ]) {
      const { code, stderr } = await runRelayCommand(args, settings);
      expect([code, stderr]).toEqual([1, expect.stringContaining('there is no store yet')]);
      expect(stderr).not.toContain('--create');
    }
  });

  it('makes no store where a relay runs that uses another', async () => {
    const file = folder.file('beside/relay.db');
    const { code, stdout, stderr } = await runRelayCommand(['key', 'add', '--from', '1105', '--create'], {
      STORE: `sqlite:${file}`,
      LISTEN: new URL(relay.url).host,
    });
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('nothing was changed')]);
    expect(existsSync(file)).toBe(false);
  });

  it('takes its settings from a file, but from the environment first', async () => {
    const settings = folder.file('relay.env');
    const lines = `# relay\nDIALMARK_STORE="${environment.STORE}"\nDIALMARK_LISTEN=nowhere\n`;
    await writeFile(settings, lines, { mode: 0o600 });
    const list = ['key', 'list', '--settings', settings];
    const { code, stderr } = await runRelayCommand(list, {});
    expect([code, stderr]).toEqual([0, '']);
    const wrong = await runRelayCommand(list, { STORE: 'paper:' });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching('DIALMARK_STORE')]);

    await writeFile(settings, '# relay\n\nexport DIALMARK_COUNTRY=BR\nDIALMARK_SECRET hunter2\n');
    const broken = await runRelayCommand(list, {});
    expect(broken.code).toBe(2);
    expect(broken.stderr).toContain(`${settings}, line 4: expected NAME=value`);
    expect(broken.stderr).not.toContain('hunter2');
  });

  it('names a misspelt setting where the settings are checked', async () => {
    const misspelt = { STORE: 'memory:', LISTEN: '127.0.0.1:0', DAIL_COUNTRIES: 'BR' };
    expect((await runRelayCommand(['check'], misspelt)).stderr).toBe(
      'DIALMARK_DAIL_COUNTRIES: no such setting; it is ignored\n',
    );
  });

  it('deletes the calls of a number', async () => {
    const key = (await run('key', 'add', '--from', '1107', '--client-calls')).stdout.trim();
    const { call } = await announce(relay.url, key, '48999998888');
    expect((await run('forget', '--number', '+55 (48) 99999-8888')).stdout).toBe('1 call forgotten\n');
    expect((await ask(relay.url, `/v1/calls/${call.id}`, { as: key })).status).toBe(404);
  });

  it('counts first, but deletes nothing, where other numbers end with the digits', async () => {
    const key = (await run('key', 'add', '--from', '1109', '--client-calls')).stdout.trim();
    const here = await announce(relay.url, key, '4834567890');
    const elsewhere = await announce(relay.url, key, '1134567890');
    const states = async () =>
      Promise.all(
        [here, elsewhere].map(
          async ({ call }) => (await ask(relay.url, `/v1/calls/${call.id}`, { as: key })).status,
        ),
      );
    const ambiguous = await run('forget', '--number', '34567890', '--yes');
    expect([ambiguous.code, ambiguous.stdout]).toEqual([1, '']);
    expect(ambiguous.stderr).toMatch(/90\t1 call\n.*90\t1 call\n2 numbers end with these digits.*area code/);
    expect(await states()).toEqual([200, 200]);

    expect((await run('forget', '--number', '11 3456-7890')).stdout).toBe('1 call forgotten\n');
    const unconfirmed = await run('forget', '--number', '34567890');
    expect([unconfirmed.code, unconfirmed.stdout]).toEqual([1, '']);
    expect(unconfirmed.stderr).toMatch(/1 call found.*--yes/);
    expect(await states()).toEqual([200, 404]);
    expect((await run('forget', '--number', '34567890', '--yes')).stdout).toBe('1 call forgotten\n');
    expect(await states()).toEqual([404, 404]);
  });

  it('leaves nothing of a forgotten number in the files of the store', async () => {
    const key = (await run('key', 'add', '--from', '1110', '--client-calls')).stdout.trim();
    const number = '4899887766551';
    for (let n = 0; n < 30; n++) {
      const { path } = await announce(relay.url, key, number);
      if (n % 2 === 0) await ask(relay.url, path, { body: hangup({ to: number }) });
    }
    expect((await run('forget', '--number', number)).stdout).toBe('30 calls forgotten\n');
    for (const end of ['', '-wal']) {
      const bytes = await readFile(`${folder.file('deep/inside/relay.db')}${end}`);
      expect([end, bytes.includes(number)]).toEqual([end, false]);
    }
  });

  it('reports what is wrong with a command with exit code 2', async () => {
    for (const [args, message] of [
      [['key', 'add'], /--from[\s\S]*\(--help shows/],
      [['key', 'add', '--from', 'a b'], 'a b'],
      [['site', 'add', 'x', '--from', '1', '--origin', 'crm.example'], 'https://crm.example'],
      [['site', 'add', 'x', '--from', '1', '--origin', 'https://*.crm.example'], 'an origin like'],
      [['forget', '--number', 'x'], 'digits'],
      [
        ['dance'],
        /unknown command 'dance'[\s\S]*\n {2}key add\n[\s\S]*\n {2}check\n[\s\S]*\n {2}forward drop\n/,
      ],
      [['key', 'dance'], /unknown command 'dance'[\s\S]*\n {2}key add\n/],
      [['backup', ''], /'file' is empty/],
      [['--settings', '/no/relay.env', 'key', 'list'], '/no/relay.env cannot be read: there is no such file'],
    ] as const) {
      const { code, stdout, stderr } = await run(...args);
      expect([args, code, stdout]).toEqual([args, 2, '']);
      expect(stderr).toMatch(message);
    }
  });

  it('reports every wrong setting on stderr with exit code 2', async () => {
    const { code, stderr } = await runRelayCommand([], { LISTEN: 'nowhere', STORE: 'paper:' });
    expect(code).toBe(2);
    expect(stderr).toMatch('DIALMARK_LISTEN');
    expect(stderr).toMatch('DIALMARK_STORE');
  });
});

describe('output that is lost', () => {
  const program = `'${process.execPath}' '${relayProgram}'`;
  const inShell = (script: string) =>
    startChild(['bash', '-c', script], { environment: { DIALMARK_STORE: environment.STORE } });
  // The reader is gone before the command starts.
  const closedPipe = 'exec 3> >(exit); wait $!;';

  it('to a reader that left ends a command without a word', async () => {
    const command = inShell(`${closedPipe} exec ${program} --help >&3`);
    expect([await command.exited, command.output()]).toEqual([1, '']);
  });

  // The second one has failed by itself by then.
  it.each(['--help', 'check'])('to a full disk is reported in one line by %s', async (args) => {
    const command = inShell(`exec ${program} ${args} > /dev/full`);
    expect([await command.exited, command.output()]).toEqual([
      1,
      'stdout: ENOSPC: no space left on device, write\n',
    ]);
  });

  it.each([
    ['a reader that left', `${closedPipe} exec ${program} >&3`],
    ['a full disk', `exec ${program} > /dev/full`],
  ])('to %s lets a relay start', async (_, script) => {
    const port = await freePort();
    const started = startChild(['bash', '-c', script], {
      environment: { DIALMARK_STORE: 'memory:', DIALMARK_LISTEN: `127.0.0.1:${port}` },
    });
    await until(
      () =>
        fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      'the relay',
    );
    // What it prints once it listens is lost by then.
    expect(await started.stop()).toBe(0);
  });
});

describe('a relay that starts', () => {
  it('names its setting where the port is taken', async () => {
    const { code, stderr } = await runRelayCommand([], {
      STORE: 'memory:',
      LISTEN: new URL(relay.url).host,
    });
    expect([code, stderr]).toEqual([1, expect.stringMatching('DIALMARK_LISTEN: expected a free port')]);
  });

  it('prints no warning of a library or of Node', () => {
    expect(relay.output()).not.toMatch(/warning/i);
  });

  it('names a missing provider on stderr', () => {
    expect(relay.output()).toMatch('DIALMARK_PROVIDER_URL: not set');
  });
});

describe('a relay that gets SIGTERM', () => {
  it('says so, ends its streams without an error, keeps its secret for the next start', async () => {
    const key = (await run('key', 'add', '--from', '1108', '--client-calls')).stdout.trim();
    const { returnUrl } = await announce(relay.url, key, '48999998888');
    const reader = await readEvents(relay.url, key);
    expect(await relay.stop('SIGTERM')).toBe(0);
    await reader.ended;
    expect(relay.output()).toMatch(/"streams":1.*the relay is stopping/);
    expect(relay.output()).toMatch('the relay has stopped');
    relay = await startRelayProcess(environment);
    const answer = await ask(relay.url, new URL(returnUrl).pathname, { body: { event: 'hangup' } });
    expect(answer.status).toBe(200);
  });
});
