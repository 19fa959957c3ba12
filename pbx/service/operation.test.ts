/** What an operator sees and does: settings, check, readiness, metrics, and what is forgotten. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { DatabaseSync } from '@photostructure/sqlite';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { damageStore } from '../../testing/damage-store.ts';
import { startReceiver } from '../../testing/servers/receiver.ts';
import { type TemporaryFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';
import { withPrefix } from '../../testing/with-prefix.ts';
import { runPbxCommand } from './command-line.ts';
import { readPbxSettings } from './settings.ts';
import { type RunningPbxService, startPbxService } from './start-pbx-service.ts';
import { PbxStore } from './store/pbx-store.ts';
import { type ScriptedAsterisk, startScriptedAsterisk } from './testing/scripted-asterisk.ts';
import { makeToken } from './token.ts';

let folder: TemporaryFolder;
let asterisk: ScriptedAsterisk;
let service: RunningPbxService | undefined;
const file = (name: string) => folder.file(name);
const { token, stored } = makeToken('test', 1);

beforeEach(async () => {
  folder = await temporaryFolder();
  asterisk = await startScriptedAsterisk();
  await mkdir(file('recordings'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await service?.stop();
  service = undefined;
  await asterisk.close();
  await folder.remove();
});

const environment = (more: Record<string, string> = {}) => {
  const all = {
    LISTEN: '127.0.0.1:0',
    STORE: file('pbx.db'),
    AMI: `127.0.0.1:${asterisk.port}`,
    AMI_USER: 'u',
    AMI_SECRET: 's',
    RECORDINGS_FOLDER: file('recordings'),
    ...more,
  };
  return withPrefix('DIALMARK_PBX_', all);
};

async function start(more: Record<string, string> = {}): Promise<string> {
  service = await startPbxService(readPbxSettings(environment(more)), pino({ level: 'silent' }));
  service.store.addToken(stored);
  return service.url;
}
const ready = (url: string) => fetch(`${url}/readyz`);
const untilReady = (url: string) => until(async () => (await ready(url)).ok, 'the login');

/** Runs a command in this process. */
async function run(args: string[], variables: NodeJS.ProcessEnv = environment()) {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      texts[name] += text;
      return true;
    });
  await runPbxCommand(args, variables);
  vi.restoreAllMocks();
  const code = process.exitCode;
  process.exitCode = undefined;
  return { code, ...texts };
}

/** Places a call and lets Asterisk end it, with a recording. @returns the path of the recording. */
async function place(url: string, to: string, returnurl?: string, earlier?: string): Promise<string> {
  const response = await fetch(`${url}/call`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: '1105', to, returnurl }),
  });
  const { callid } = (await response.json()) as { callid: string };
  const recording = folder.file(`recordings/${callid}.wav`);
  await writeFile(recording, 'RIFF');
  const channel = { Channel: 'PJSIP/1105-1', Uniqueid: callid, Linkedid: callid, CallerIDNum: to };
  asterisk.event({ Event: 'Newchannel', ...channel });
  for (const Value of [...(earlier ? [earlier] : []), recording])
    asterisk.event({ Event: 'VarSet', Variable: 'MIXMONITOR_FILENAME', Value, ...channel });
  asterisk.event({ Event: 'Hangup', Cause: '16', ...channel });
  await until(() => service!.store.call(callid)?.phase === 'ended', 'the end');
  return recording;
}
const exists = (name: string) => stat(name).then(Boolean, () => false);
const metric = async (url: string, name: string) =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await (await fetch(`${url}/metrics`)).text())?.[1]);

describe('the settings', () => {
  it('come from a file, which the environment goes before', async () => {
    await writeFile(file('pbx.env'), `DIALMARK_PBX_STORE=${file('other.db')}\nDIALMARK_PBX_PRIORITY=x\n`, {
      mode: 0o600,
    });
    const args = ['--settings', file('pbx.env'), 'token', 'add'];
    expect(await run(args, {})).toMatchObject({ code: 2, stderr: expect.stringContaining('_PRIORITY') });
    const more = { DIALMARK_PBX_PRIORITY: '1', DIALMARK_PBX_LISTEN: '127.0.0.1:0' };
    expect((await run(args, more)).stderr).toContain(`is in ${file('other.db')}`);
  });

  it('are warned about in a file that every user may read', async () => {
    await writeFile(file('pbx.env'), `DIALMARK_PBX_STORE=${file('pbx.db')}\n`, { mode: 0o644 });
    const { stderr } = await run(['--settings', file('pbx.env'), 'token', 'list'], {});
    expect(stderr).toContain(`chmod 600 ${file('pbx.env')}`);
  });

  it('are refused where a value without quotes has a # in it, which would end it', async () => {
    const args = ['--settings', file('pbx.env'), 'token', 'add'];
    const store = `DIALMARK_PBX_LISTEN=127.0.0.1:0\nDIALMARK_PBX_STORE=${file('pbx.db')} # a remark`;
    for (const [line, code] of [
      ['DIALMARK_PBX_AMI_SECRET=hunter#2', 2],
      ['DIALMARK_PBX_AMI_SECRET="hunter#2"', undefined],
    ] as const) {
      await writeFile(file('pbx.env'), `${store}\n${line}\n`, { mode: 0o600 });
      const ran = await run(args, {});
      expect([ran.code, ran.stderr.includes('line 3: expected quotes')]).toEqual([code, code === 2]);
      expect(ran.stderr).not.toContain('hunter');
    }
  });

  it('are refused where a quote has no end, which would take the lines behind it', async () => {
    const args = ['--settings', file('pbx.env'), 'token', 'add'];
    const store = `DIALMARK_PBX_LISTEN=127.0.0.1:0\r\nDIALMARK_PBX_STORE="${file('pbx.db')}" # a remark\r`;
    for (const [value, code] of [
      ['"hunter\nDIALMARK_PBX_CONTEXT="sales"', 2],
      ["'it's hunter'", 2],
      ['"hunter" 2', 2],
      ['"it\'s hunter"', undefined],
      ['hunter"2', undefined],
    ] as const) {
      await writeFile(file('pbx.env'), `${store}\nDIALMARK_PBX_AMI_SECRET=${value}\n`, { mode: 0o600 });
      const ran = await run(args, {});
      expect([value, ran.code, ran.stderr.includes('line 3: expected a quote')]).toEqual([
        value,
        code,
        code === 2,
      ]);
      expect(ran.stderr).not.toContain('hunter');
    }
  });

  it('are named by each command where they are unknown', async () => {
    const { stderr } = await run(['token', 'list'], environment({ CONTEKST: 'a' }));
    expect(stderr).toContain('DIALMARK_PBX_CONTEKST: no such setting');
  });
});

describe('token add', () => {
  it('changes nothing where the running service uses another store', async () => {
    const { host } = new URL(await start());
    const other = environment({ LISTEN: host, STORE: file('other.db') });
    const { code, stdout, stderr } = await run(['token', 'add'], other);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('the running service uses another store');
    expect(existsSync(file('other.db'))).toBe(false);
    expect(await run(['token', 'add'], environment({ LISTEN: host }))).toMatchObject({
      code: undefined,
      stdout: expect.stringMatching(/^dmp_/),
    });
    new PbxStore(file('other.db')).close();
    expect((await run(['token', 'add'], other)).stderr).toContain('the running service uses another store');
    expect((await run(['token', 'list'], other)).stdout).toBe('');
  });

  it('makes no store beside a program that does not answer', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const listen = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const shorter = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 50));
    const { code, stderr } = await run(['token', 'add'], environment({ LISTEN: listen }));
    shorter.mockRestore();
    silent.close();
    expect([code, stderr.includes('does not answer')]).toEqual([1, true]);
    expect(existsSync(file('pbx.db'))).toBe(false);
  });
});

describe('token list', () => {
  it('keeps a token on one line whatever its name holds, without codes of the terminal', async () => {
    await run(['token', 'add', '--name', 'relay\tA\n\u001b[2Kspare']);
    expect((await run(['token', 'list'])).stdout).toMatch(/^token-\w+\t\S+\trelay A \[2Kspare\n$/);
  });
});

describe('the store', () => {
  const checked = async () => (await run(['check'])).stdout.split('\n').find((line) => / store /.test(line));

  it('is named by check where it is missing, lacks a token or is damaged', async () => {
    expect(await checked()).toMatch(/^FAIL store .*pbx\.db: there is none yet/);
    expect(existsSync(file('pbx.db'))).toBe(false);
    // What a restore that was cut off leaves.
    await writeFile(file('pbx.db'), '');
    expect(await checked()).toMatch(/^FAIL store .*pbx\.db: there is none yet/);
    const { stderr } = await run(['token', 'list']);
    expect(stderr).toContain(`${file('pbx.db')}: there is no store yet`);
    expect(await readFile(file('pbx.db'), 'utf8')).toBe('');
    await start();
    expect(await checked()).toMatch(/^ok {3}store .*pbx\.db$/);
    await run(['token', 'revoke', stored.id]);
    expect(await checked()).toMatch(/^FAIL store .*: there is no service token/);
    await service!.stop();
    service = undefined;
    await writeFile(file('pbx.db'), 'x'.repeat(64 * 1024));
    expect(await checked()).toMatch(
      /^FAIL store .*: DIALMARK_PBX_STORE: expected a store at .*; if it is your store, .* restore a backup$/,
    );
  });

  it('is named by check where a page is damaged that no start reads', async () => {
    await start();
    await service!.stop();
    service = undefined;
    await damageStore(file('pbx.db'), { at: 4096, size: 4096 });
    expect(await checked()).toMatch(/^FAIL store .*: it is damaged; stop the service, .* restore a backup$/);
  });
});

describe('a wrong AMI secret', () => {
  beforeEach(() => {
    asterisk.answers.Login = (_action, send) => send({ Response: 'Error', Message: 'Authentication failed' });
  });

  it('is named by check', async () => {
    const { code, stdout } = await run(['check']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAIL Asterisk at \S+: Asterisk refused the login of u: Authentication failed/);
  });

  it('is named by the running service', async () => {
    const url = await start();
    const detail = await until(async () => {
      const text = await (await ready(url)).text();
      return text.includes('not reachable') ? undefined : text;
    }, 'the refusal');
    expect(detail).toContain('Asterisk refuses the login');
  });
});

describe('/metrics', () => {
  it('shows the age of the oldest notification beside the free disk', async () => {
    const receiver = await startReceiver();
    receiver.answer = (_one, response) => void response.writeHead(503).end();
    const url = await start({ RETURN_HOSTS: new URL(receiver.url).host });
    await untilReady(url);
    expect(await metric(url, 'dialmark_pbx_notification_age_seconds')).toBe(0);
    await place(url, '5511999990000', receiver.url);
    await until(async () => (await metric(url, 'dialmark_pbx_notification_age_seconds')) > 0, 'its age');
    expect(await metric(url, 'dialmark_pbx_notifications_waiting')).toBe(1);
    expect(await metric(url, 'dialmark_pbx_store_free_bytes')).toBeGreaterThan(0);
    expect(await metric(url, 'dialmark_pbx_store_failing')).toBe(0);
    expect(await metric(url, 'dialmark_pbx_asterisk_up')).toBe(1);
    await receiver.close();
  });

  it('has from the start each counter whose increase an alert awaits', async () => {
    const text = await (await fetch(`${await start()}/metrics`)).text();
    expect(text).toContain('\ndialmark_pbx_notification_attempts_total{outcome="dead"} 0\n');
    expect(text).toContain('\ndialmark_pbx_calls_total{outcome="unknown"} 0\n');
  });
});

describe('forget', () => {
  it('deletes the calls of one number with their recordings from the file, without a trace', async () => {
    const url = await start();
    await untilReady(url);
    const gone = await place(url, '4833224455');
    const kept = await place(url, '5511999990000');
    expect(await run(['forget', '--number', '+55 (0)48 3322-4455'])).toMatchObject({
      stdout: '1 call forgotten\n',
    });
    expect([await exists(gone), await exists(kept)]).toEqual([false, true]);
    expect([...service!.store.finishedCalls()]).toHaveLength(1);
    for (const name of ['pbx.db', 'pbx.db-wal'])
      expect((await readFile(file(name))).includes('4833224455'), name).toBe(false);
  });

  it.each(['0154899998888', '02148999998888', '4899998888'])(
    'finds a mobile that was called as %s',
    async (to) => {
      const url = await start();
      await untilReady(url);
      const kept = await place(url, '02148999997777');
      await place(url, to);
      expect((await run(['forget', '--number', '+55 48 99999-8888'])).stdout).toBe('1 call forgotten\n');
      expect(await exists(kept)).toBe(true);
    },
  );

  it('asks where a longer number ends with the digits', async () => {
    const url = await start();
    await untilReady(url);
    await place(url, '5548999998888');
    const refused = await run(['forget', '--number', '99998888']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('add --yes')]);
    expect((await run(['forget', '--number', '99998888', '--yes'])).stdout).toBe('1 call forgotten\n');
  });

  it('deletes each recording of a call that had several', async () => {
    const url = await start();
    await untilReady(url);
    const earlier = file('recordings/earlier.wav');
    await writeFile(earlier, 'RIFF');
    const recording = await place(url, '4833224455', undefined, earlier);
    await run(['forget', '--number', '4833224455']);
    expect([await exists(earlier), await exists(recording)]).toEqual([false, false]);
  });

  it('names the recordings that it cannot delete', async () => {
    const url = await start();
    await untilReady(url);
    const recording = await place(url, '4833224455');
    await rename(file('recordings'), file('unmounted'));
    const { code, stdout, stderr } = await run(['forget', '--number', '4833224455']);
    expect([code, stdout]).toEqual([1, '1 call forgotten\n']);
    expect(stderr).toContain(`could not be deleted:\n${recording} (ENOENT)\n`);
  });
});

describe('retention', () => {
  /** Starts the service again once its calls to this number are so many days old. */
  async function startWithOldCalls(to: string, days: number, variables: Record<string, string>) {
    await service!.stop();
    const database = new DatabaseSync(file('pbx.db'));
    database.exec(`UPDATE call SET created_at = created_at - ${days} * 86400000
      WHERE json_extract(request, '$.to') = '${to}'`);
    database.close();
    service = await startPbxService(readPbxSettings(environment(variables)), pino({ level: 'silent' }));
  }

  it.each([
    ['earlier than their calls', '30', 2],
    ['with their calls where both are kept equally long', '90', 1],
  ])('deletes recordings %s', async (_when, recordingDays, remainingCalls) => {
    const days = { RETENTION_DAYS: '90', RECORDING_RETENTION_DAYS: recordingDays };
    const url = await start(days);
    await untilReady(url);
    const old = await place(url, '5511999990000');
    const recent = await place(url, '5511999990001');
    await startWithOldCalls('5511999990000', Number(recordingDays) + 1, days);
    await until(() => service!.store.recordingsBefore(Date.now()).length === 1, 'one recording left');
    await until(() => [...service!.store.finishedCalls()].length === remainingCalls, 'the calls that remain');
    expect([await exists(old), await exists(recent)]).toEqual([false, true]);
  });

  it('deletes the other recordings where one cannot be deleted', async () => {
    const days = { RECORDING_RETENTION_DAYS: '30' };
    const url = await start(days);
    await untilReady(url);
    const stuck = await place(url, '5511999990000');
    const others = [await place(url, '5511999990000'), await place(url, '5511999990000')];
    await rm(stuck);
    await symlink(stuck, stuck);
    await startWithOldCalls('5511999990000', 31, days);
    await until(async () => !(await Promise.all(others.map(exists))).includes(true), 'the others deleted');
    expect(service!.store.recordingsBefore(Date.now()).map((one) => one.file)).toEqual([stuck]);
  });

  it('deletes each recording of a call that had several', async () => {
    const days = { RECORDING_RETENTION_DAYS: '30' };
    const url = await start(days);
    await untilReady(url);
    const earlier = file('recordings/earlier.wav');
    await writeFile(earlier, 'RIFF');
    const recording = await place(url, '5511999990000', undefined, earlier);
    await startWithOldCalls('5511999990000', 31, days);
    await until(() => service!.store.recordingsBefore(Date.now()).length === 0, 'none left');
    expect([await exists(earlier), await exists(recording)]).toEqual([false, false]);
  });

  it('deletes recordings once their folder is mounted again', async () => {
    const days = { RECORDING_RETENTION_DAYS: '30' };
    const url = await start(days);
    await untilReady(url);
    const old = await place(url, '5511999990000');
    await rename(file('recordings'), file('unmounted'));
    await startWithOldCalls('5511999990000', 31, days);
    await untilReady(service!.url);
    expect(service!.store.recordingsBefore(Date.now())).toHaveLength(1);
    await rename(file('unmounted'), file('recordings'));
    await startWithOldCalls('5511999990000', 0, days);
    await until(async () => !(await exists(old)), 'the recording deleted');
  });

  it.each([
    [{ RECORDING_RETENTION_DAYS: '100' }, 'at most DIALMARK_PBX_RETENTION_DAYS'],
    [{ RECORDING_RETENTION_DAYS: '10', RECORDINGS_FOLDER: '' }, 'DIALMARK_PBX_RECORDINGS_FOLDER to be set'],
  ])('of recordings is refused as %j', (more, problem) => {
    expect(() => readPbxSettings(environment(more))).toThrow(problem);
  });
});
