import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Call, newCallId } from '../../shared/call/call.ts';
import { linkedRecord } from '../../shared/record/template.ts';
import { type FakeRedmine, startFakeRedmine } from '../../testing/crm/fake-redmine.ts';
import { clientIntent } from '../../testing/relay/client-intent.ts';
import { runCommand } from '../../testing/relay/run-command.ts';
import { startTestRelay, type TestRelay } from '../../testing/relay/test-relay.ts';
import { type TemporaryFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';

const record = { system: 'crm', kind: 'issue' };
let folder: TemporaryFolder;
let crm: FakeRedmine;
let relay: TestRelay;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await temporaryFolder();
  crm = await startFakeRedmine('4711', '4712');
  const rules = folder.file('rules.json');
  const template = { ...record, origin: crm.url, pattern: '/issues/{id}' };
  await writeFile(rules, JSON.stringify({ templates: [template] }));
  environment = {
    STORE: `sqlite:${folder.file('relay.db')}`,
    RULES_FILE: rules,
    CRM_CRM_KIND: 'redmine',
    CRM_CRM_URL: crm.url,
    CRM_CRM_TOKEN: 'secret-key',
  };
  relay = await startTestRelay(environment);
});
afterAll(async () => {
  await relay.stop();
  await crm.stop();
  await folder.remove();
});

const run = (...args: string[]) => runCommand(relay, environment, ...args);

/** A finished call with an outcome, so that its entry is due at once. One id in 64 begins with `-`: these do. */
async function call(issue: string): Promise<Call> {
  const id = `-${newCallId().slice(1)}`;
  const intent = clientIntent('1105', { logSystems: ['crm'], idempotencyKey: id });
  intent.call.id = id;
  const template = { ...record, origin: crm.url, pattern: '/issues/{id}' };
  intent.call.record = linkedRecord({ ...record, id: issue }, [template])!;
  await relay.store.calls.place(intent);
  const amendment = { kind: 'wrapUp', request: { outcome: 'reached' }, revision: 0 } as const;
  await relay.store.calls.amend({ callId: id, amendment, now: Date.now() });
  const fact = { kind: 'hungUp', at: new Date().toISOString(), details: { talkSeconds: 42 } } as const;
  await relay.store.calls.apply({ callId: id, fact, now: Date.now() });
  return intent.call;
}

const entryOf = async ({ id }: Call) => (await relay.store.calls.find(id))!.call.entry;
const reaches = (placed: Call, state: string) =>
  until(async () => (await entryOf(placed))?.state === state, `the entry to be ${state}`);

it('lists a call that is not logged with its record, its reason, a masked number', async () => {
  const placed = await call('9999');
  await reaches(placed, 'needsAgent');
  const { out } = await run('log', 'list');
  const row = out.split('\n').find((line) => line.startsWith(placed.id))!;
  expect(row.split('\t')).toEqual([
    ...[placed.id, 'needsAgent', expect.stringMatching(/^\d{4}-/), '1 attempt', '1105'],
    ...[expect.stringMatching(/^\W+55$/), 'crm', 'issue 9999', 'notFound'],
  ]);
  expect(out).not.toContain(placed.to);
});

it('lists a call that needs a record, until it is dropped', async () => {
  const { call: placed, ...intent } = clientIntent('1105', { lacksRecord: 'severalRecords' });
  await relay.store.calls.place({ call: placed, ...intent });
  const fact = { kind: 'hungUp', at: new Date().toISOString(), details: { talkSeconds: 42 } } as const;
  await relay.store.calls.apply({ callId: placed.id, fact, now: Date.now() });
  const listed = async () => (await run('log', 'list')).out.trim().split('\n').at(-1)!.split('\t');
  expect(await listed()).toEqual([
    ...[placed.id, 'needsAgent', placed.createdAt, '0 attempts', '1105'],
    ...[expect.stringMatching(/^\W+55$/), '-', '-', 'severalRecords'],
  ]);
  expect(await run('log', 'retry', placed.id)).toMatchObject({
    code: 1,
    err: expect.stringMatching('log move'),
  });
  expect((await run('log', 'drop', placed.id)).code).toBe(0);
  expect(await entryOf(placed)).toBeUndefined();
  expect(await listed()).not.toContain(placed.id);
});

it('logs a call again beside the running relay once its cause is mended', async () => {
  crm.failNext('forbidden');
  const placed = await call('4711');
  await reaches(placed, 'needsAgent');
  expect((await run('log', 'retry', placed.id)).out).toBe('1 to be logged again\n');
  await reaches(placed, 'done');
  expect(crm.notes('4711').filter((note) => note.endsWith(`dialmark:${placed.id}`))).toHaveLength(1);
  expect(await run('log', 'retry', placed.id)).toMatchObject({
    code: 1,
    err: expect.stringMatching('log list'),
  });
});

it('moves a call to another record, but names one that no template has', async () => {
  const placed = await call('9999');
  await reaches(placed, 'needsAgent');
  expect(await run('log', 'move', placed.id, 'crm', 'lead', '1')).toMatchObject({
    code: 1,
    err: expect.stringMatching('RULES_FILE'),
  });
  expect((await run('log', 'move', placed.id, 'crm', 'issue', '4712')).out).toBe(
    `${placed.id} moved to ${crm.url}/issues/4712\n`,
  );
  await until(() => crm.notes('4712').some((note) => note.endsWith(`dialmark:${placed.id}`)), 'the note');
});

it('drops what is not logged for ever, also where the call changes later', async () => {
  const placed = await call('9999');
  await reaches(placed, 'needsAgent');
  expect(await run('log', 'drop', placed.id)).toEqual({
    out: `${placed.id} dropped: it is not logged any more\n`,
    err: '',
    code: 0,
  });
  expect(await entryOf(placed)).toEqual({ state: 'none', system: 'crm' });
  const amendment = { kind: 'wrapUp', request: { note: 'Later' }, revision: 1 } as const;
  await relay.store.calls.amend({ callId: placed.id, amendment, now: Date.now() });
  expect(await entryOf(placed)).toEqual({ state: 'none', system: 'crm' });
});

it('keeps in the audit which call was retried, moved or dropped by the operator', async () => {
  const placed = await call('9999');
  await reaches(placed, 'needsAgent');
  await run('log', 'retry', placed.id);
  await reaches(placed, 'needsAgent');
  await run('log', 'move', placed.id, 'crm', 'issue', '9998');
  await reaches(placed, 'needsAgent');
  await run('log', 'drop', placed.id);
  const kept = (await relay.store.rules.audit('1970-01-01T00:00:00Z', 100)).records.filter(
    ({ callId }) => callId === placed.id,
  );
  expect(kept.map(({ action, by, about, detail }) => [action, by, about, detail])).toEqual([
    ['record.drop', 'operator', 'crm issue 9998', undefined],
    ['record.move', 'operator', 'crm issue 9999', 'to crm issue 9998'],
    ['record.retry', 'operator', 'crm issue 9999', undefined],
  ]);
});

it('counts what waits in its metrics as in its status, with what asks the agent apart', async () => {
  const { text } = await relay.ask('/metrics');
  expect(text).toMatch(/^dialmark_log_entries_pending \d+$/m);
  expect(text).toMatch(/^dialmark_log_entries_total\{system="crm",outcome="dead"\} 0$/m);
  expect(text).toMatch(/^dialmark_log_entries_total\{system="crm",outcome="needsAgent"\} [1-9]/m);
  expect((await relay.ask('/status.json')).body).toMatchObject({
    entriesPending: expect.any(Number),
    entriesDead: 0,
    entriesAsking: expect.any(Number),
  });
});

it('names every entry that remains in the CRM when a number is forgotten', async () => {
  const placed = await call('4711');
  await reaches(placed, 'done');
  const { url } = (await entryOf(placed))!;
  await run('log', 'move', placed.id, 'crm', 'issue', '4712');
  await until(() => crm.notes('4712').some((note) => note.endsWith(`dialmark:${placed.id}`)), 'the note');
  await until(
    () => crm.notes('4711').some((note) => note.endsWith(`dialmark:${placed.id}/2`)),
    'the amendment',
  );
  await reaches(placed, 'done');
  const moved = (await entryOf(placed))!.url;
  const { out, err } = await run('forget', '--number', placed.to, '--yes');
  expect(err).toContain('remain');
  for (const remaining of [
    `crm\t${url}\tdialmark:${placed.id}`,
    `crm\t${moved}\tdialmark:${placed.id}`,
    expect.stringMatching(new RegExp(`/issues/4711\\S*\\tdialmark:${placed.id}/2$`)),
  ])
    expect(out.split('\n')).toContainEqual(remaining);
});

it('tries rules with each CRM, naming what is wrong', async () => {
  expect((await run('check')).out).toMatch(/^FAIL CRM crm at \S+: it has no such interface/m);
  expect((await run('check')).out).toMatch(/^ok {3}rules \S+: records of crm, 8 outcomes$/m);
  await writeFile(environment.RULES_FILE!, '{"templates": [{}]}');
  expect((await run('check')).out).toMatch(/^FAIL rules: \S+: templates\.0: expected/m);
});
