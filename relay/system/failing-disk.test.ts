import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChild } from '../../testing/child.ts';
import {
  type RelayProcess,
  relayProgram,
  runRelayCommand,
  startRelayProcess,
} from '../../testing/relay/relay-process.ts';
import {
  type Announced,
  announce,
  ask,
  hangup,
  newClick,
  readEvents,
} from '../../testing/relay/test-relay.ts';
import { type DiskFailure, failDisk } from '../../testing/servers/failing-disk.ts';
import { type TemporaryFolder, temporaryFolder } from '../../testing/temporary-folder.ts';

let folder: TemporaryFolder;
let relay: RelayProcess;
let agent: string;

const environment = () => ({
  STORE: `sqlite:${folder.file('relay.db')}`,
  MAX_CALLS_PER_MINUTE: '1000000',
  MAX_CALLS_PER_DESTINATION_PER_MINUTE: '1000000',
});

beforeAll(async () => {
  folder = await temporaryFolder();
  const made = await runRelayCommand(
    ['key', 'add', '--from', '1105', '--client-calls', '--create'],
    environment(),
  );
  agent = made.stdout.trim();
  relay = await startRelayProcess(environment());
});
afterAll(async () => {
  await relay.stop();
  await folder.remove();
});

const newCall = () => announce(relay.url, agent);
const notify = ({ path }: Announced) => ask(relay.url, path, { body: hangup() });
const stateOf = async ({ call }: Announced) =>
  (await ask(relay.url, `/v1/calls/${call.id}`, { as: agent })).body.state;

const unavailable = { status: 503, body: { code: 'storeUnavailable', status: 503 } };
const unwritable = { status: 507, body: { code: 'storeUnwritable', status: 507 } };

describe('a relay whose disk fails under it', () => {
  const failures: [string, DiskFailure][] = [
    ['cannot be written (EIO)', { calls: ['pwrite64'], error: 'EIO' }],
    ['cannot be synced (EIO)', { calls: ['fsync', 'fdatasync'], error: 'EIO' }],
    ['is full (ENOSPC)', { calls: ['pwrite64'], error: 'ENOSPC' }],
    ['is read-only (EROFS)', { calls: ['pwrite64'], error: 'EROFS' }],
  ];
  it.each(failures)('that %s acknowledges nothing, loses nothing, goes on by itself', async (_, failure) => {
    const before = await newCall();
    const during = await Promise.all(Array.from({ length: 20 }, newCall));
    const after = await newCall();
    const reader = await readEvents(relay.url, agent);
    expect((await notify(before)).status).toBe(200);

    const disk = await failDisk(relay.pid, failure);
    const refused = await Promise.all(during.map(notify));
    for (const answer of refused) {
      expect(answer).toMatchObject(unwritable);
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(answer.headers.get('content-type')).toMatch('application/problem+json');
    }
    expect(
      await ask(relay.url, '/v1/calls', {
        as: agent,
        body: { to: '99', placedBy: 'client' },
        headers: newClick(),
      }),
    ).toMatchObject(unwritable);
    expect(await ask(relay.url, '/readyz')).toMatchObject(unavailable);
    expect((await ask(relay.url, '/healthz')).status).toBe(200);
    // What was acknowledged is there, and of the rest not even a part.
    expect(await stateOf(before)).toBe('disconnected');
    for (const call of during) expect(await stateOf(call)).toBe('initiating');
    await disk.heal();

    expect((await ask(relay.url, '/readyz')).status).toBe(200);
    for (const call of [...during, after]) expect((await notify(call)).status).toBe(200);
    const published = () =>
      reader.frames.filter(({ call }) => call.state === 'disconnected').map(({ call }) => call.id);
    while (!published().includes(after.call.id)) await reader.until(reader.frames.length + 1);
    // Each once, and none before it was kept.
    expect(published()).toEqual([before, ...during, after].map(({ call }) => call.id));
    reader.close();
  });

  it('has everything that it acknowledged when it is started again', async () => {
    const kept = await newCall();
    const lost = await newCall();
    expect((await notify(kept)).status).toBe(200);
    const disk = await failDisk(relay.pid, failures[1]![1]);
    expect((await notify(lost)).status).toBe(507);
    await relay.stop('SIGKILL');
    await disk.heal();
    relay = await startRelayProcess(environment());
    expect(await stateOf(kept)).toBe('disconnected');
    // The service may send it again: it is taken, whatever the crash left on the disk.
    expect((await notify(lost)).status).toBe(200);
    expect(await stateOf(lost)).toBe('disconnected');
  });
});

/** Runs a command of the relay on a disk that is full. */
async function commandOnFullDisk(args: readonly string[], store: string, address: string) {
  const fail = ['-e', 'trace=pwrite64', '-e', 'inject=pwrite64:error=ENOSPC'];
  const command = startChild(
    ['strace', '-f', '-o', '/dev/null', ...fail, process.execPath, relayProgram, ...args],
    {
      environment: { DIALMARK_STORE: store, DIALMARK_LISTEN: address },
    },
  );
  return [await command.exited, command.output()];
}

it('a command on a full disk names the store', async () => {
  const { STORE } = environment();
  const result = await commandOnFullDisk(['key', 'add', '--from', '1'], STORE, new URL(relay.url).host);
  expect(result).toEqual([1, `${STORE}: database or disk is full\n`]);
});

it('a command on a full disk without a relay says that the disk is full', async () => {
  const file = folder.file('alone.db');
  await runRelayCommand(['key', 'add', '--from', '1', '--create'], { STORE: `sqlite:${file}` });
  const reason = 'disk I/O error (ENOSPC: the disk is full; make room there, then try again)';
  const run = (...args: string[]) => commandOnFullDisk(args, `sqlite:${file}`, '127.0.0.1:1');
  expect(await run('key', 'add', '--from', '2')).toEqual([1, `${file}: ${reason}\n`]);
  const copy = folder.file('copy.db');
  expect(await run('backup', copy)).toEqual([1, `${copy}: ${file}: ${reason}; nothing was written\n`]);
});
