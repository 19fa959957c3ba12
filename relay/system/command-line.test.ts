import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RelayProcess, runRelayCommand, startRelayProcess } from '../../testing/relay/relay-process.ts';
import { announce, ask, newClick, readEvents, temporaryFolder } from '../../testing/relay/test-relay.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let environment: Record<string, string>;
let relay: RelayProcess;
const run = (...args: string[]) => runRelayCommand(args, environment);

beforeAll(async () => {
  folder = await temporaryFolder();
  environment = { STORE: `sqlite:${folder.file('deep/inside/relay.db')}` };
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

  it('deletes the calls of a number', async () => {
    const key = (await run('key', 'add', '--from', '1107', '--client-calls')).stdout.trim();
    const { call } = await announce(relay.url, key, '48999998888');
    expect((await run('forget', '--number', '+55 (48) 99999-8888')).stdout).toBe('1 call forgotten\n');
    expect((await ask(relay.url, `/v1/calls/${call.id}`, { as: key })).status).toBe(404);
  });

  it('reports what is wrong with a command with exit code 2', async () => {
    for (const [args, message] of [
      [['key', 'add'], '--from'],
      [['key', 'add', '--from', 'a b'], 'a b'],
      [['site', 'add', 'x', '--from', '1', '--origin', 'crm.example'], 'https://crm.example'],
      [['forget', '--number', 'x'], 'digits'],
      [['dance'], 'too many arguments'],
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

describe('a relay that gets SIGTERM', () => {
  it('ends its streams without an error, keeping its secret for the next start', async () => {
    const key = (await run('key', 'add', '--from', '1108', '--client-calls')).stdout.trim();
    const { returnUrl } = await announce(relay.url, key, '48999998888');
    const reader = await readEvents(relay.url, key);
    expect(await relay.stop('SIGTERM')).toBe(0);
    await reader.ended;
    relay = await startRelayProcess(environment);
    const answer = await ask(relay.url, new URL(returnUrl).pathname, { body: { event: 'hangup' } });
    expect(answer.status).toBe(200);
  });
});
