/** A ticket is in a web page: wherever a Call leaves the relay, it shows a part only with the right to that part. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  announce,
  hangup,
  newClick,
  readEvents,
  startTestRelay,
  type TestRelay,
} from '../../testing/relay/test-relay.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';
import { Signer } from '../access/signer.ts';
import { makeTicket } from '../access/ticket.ts';

const record = { system: 'crm', kind: 'issue', id: '4711' };
const secret = 'a secret of the relay with thirty-two characters';
const hidden = ['record', 'entry', 'wrapUp', 'name'];
const folder = await temporaryFolder();

let relay: TestRelay;
let agent: string;
let siteKey: string;
let siteId: string;
/** A call with every part, of the caller that the tickets are for. */
let id: string;
beforeAll(async () => {
  const rulesFile = folder.file('rules.json');
  const templates = [{ preset: 'redmine', system: 'crm', origin: 'https://crm.example' }];
  await writeFile(rulesFile, JSON.stringify({ templates }));
  relay = await startTestRelay({ RULES_FILE: rulesFile, SECRET: secret });
  agent = await relay.agent('1105');
  ({ key: siteKey, id: siteId } = await relay.site('https://site.example', '1105'));
  const body = { to: '4833224455', placedBy: 'client', record, name: 'Ana Prado' };
  ({ id } = (await relay.ask('/v1/calls', { as: agent, body, headers: newClick() })).body.call);
  expect((await wrapUp(agent, { note: 'private' }, 0)).status).toBe(200);
});
afterAll(async () => {
  await relay.stop();
  await folder.remove();
});

const ticketWith = async (rights: string[], more = {}): Promise<string> =>
  (await relay.ask('/v1/tickets', { as: siteKey, body: { from: '1105', rights, ...more } })).body.ticket;
const wrapUp = (as: string, body: object, revision: number) =>
  relay.ask(`/v1/calls/${id}/wrap-up`, {
    ...{ as, method: 'PATCH', body },
    headers: { 'if-match': String(revision) },
  });
const partsOf = (call: object) => hidden.filter((part) => part in call);
const events = (as: string) => relay.ask('/v1/events', { as, headers: { accept: 'application/json' } });

it.each([
  ['the history', ['watch'], async (as: string) => (await relay.ask('/v1/calls', { as })).body.calls[0]],
  ['a page of events', ['watch'], async (as: string) => (await events(as)).body.events[0].call],
  [
    'a refused hang-up',
    ['hangup'],
    async (as: string) => {
      const { status, body } = await relay.ask(`/v1/calls/${id}`, { as, method: 'DELETE' });
      expect([status, body.code]).toEqual([409, 'cannotHangUp']);
      return body.call;
    },
  ],
])('%s hides every part from a ticket', async (_place, rights, read) => {
  const call = await read(await ticketWith(rights));
  expect([call.id, partsOf(call)]).toEqual([id, []]);
});

it('an outdated wrap-up shows the wrap-up alone to a ticket', async () => {
  const { status, body } = await wrapUp(await ticketWith(['wrapUp']), { note: 'other' }, 0);
  expect([status, body.code, body.call.wrapUp.note]).toEqual([412, 'outdated', 'private']);
  expect(partsOf(body.call)).toEqual(['wrapUp']);
});

it('the stream hides every part from a ticket, of an open call as of a change', async () => {
  const reader = await readEvents(relay.url, await ticketWith(['watch']));
  const own = (frames: typeof reader.frames) => frames.filter(({ call }) => call.id === id);
  while (own(reader.frames).length === 0) await reader.until(reader.frames.length + 1);
  expect((await wrapUp(agent, { note: 'changed' }, 1)).status).toBe(200);
  while (own(reader.frames).length < 2) await reader.until(reader.frames.length + 1);
  expect(own(reader.frames).flatMap(({ call }) => partsOf(call))).toEqual([]);
  reader.close();
});

it('a ticket for a record that no template has is refused', async () => {
  const body = { from: '1105', rights: ['dial'], record: { ...record, system: 'other' } };
  const { status, body: problem } = await relay.ask('/v1/tickets', { as: siteKey, body });
  expect([status, problem.code]).toEqual([422, 'recordUnknown']);
});

it('a record whose template is gone keeps no call of a ticket back', async () => {
  const as = makeTicket(new Signer([secret]), {
    ...{ site: siteId, from: '1105', rights: ['dial'], expires: Date.now() + 60_000 },
    record: { ...record, system: 'other' },
  });
  const { status, body } = await relay.ask('/v1/calls', {
    as,
    body: { to: '4833224477' },
    headers: newClick(),
  });
  expect(status).toBe(201);
  expect((await relay.store.calls.find(body.id))!.call.record).toBeUndefined();
});

it('a repeated request for a call hides every part from a ticket', async () => {
  const ticket = await ticketWith(['dial'], { record });
  const headers = newClick();
  const place = () => relay.ask('/v1/calls', { as: ticket, body: { to: '4833224466' }, headers });
  const [first, second] = [await place(), await place()];
  expect([second.status, second.body.id]).toEqual([201, first.body.id]);
  expect((await relay.store.calls.find(first.body.id))!.call.record).toMatchObject(record);
  expect([first.body, second.body].flatMap(partsOf)).toEqual([]);
});

it.each([
  ['hides a handed-over callback of a colleague from a ticket without wrapUp', ['watch'], 404, 0],
  ['shows a handed-over callback of a colleague to a ticket with wrapUp', ['watch', 'wrapUp'], 200, 1],
])('%s', async (_title, rights, status, count) => {
  const colleague = await relay.agent('1106');
  const { call, path } = await announce(relay.url, colleague, '4833224488');
  await relay.ask(path, { body: hangup({ audio_url: 'https://recordings.example/a.wav' }) });
  const ticket = await ticketWith(rights);
  const reader = await readEvents(relay.url, ticket);
  const callBackAt = '2026-11-24T15:00:00Z';
  const handOver = await relay.ask(`/v1/calls/${call.id}/wrap-up`, {
    ...{ as: colleague, method: 'PATCH', headers: { 'if-match': '0' } },
    body: { callBackAt, callBackBy: '1105' },
  });
  expect(handOver.status).toBe(200);
  // Events keep their order, so one more call of the ticket's own caller shows what came before it.
  const next = await announce(relay.url, agent, '4833224499');
  await until(() => reader.frames.some((frame) => frame.call?.id === next.call.id), 'the next call');
  expect(reader.frames.filter((frame) => frame.call?.id === call.id)).toHaveLength(count);
  expect((await relay.ask(`/v1/calls/${call.id}`, { as: ticket })).status).toBe(status);
  reader.close();
});
