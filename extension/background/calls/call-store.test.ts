import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { session } from '../../../testing/extension/browser-api.ts';
import { callOnItsWay } from '../../../testing/extension/call-on-its-way.ts';
import { storeCall } from '../../../testing/extension/store-call.ts';
import type { CallRecord, Phase } from './call-record.ts';
import {
  changeCall,
  forgetPastCalls,
  getCall,
  openCalls,
  pastCalls,
  removeNotes,
  unfinishedCalls,
  withFact,
  withRelayCall,
} from './call-store.ts';
import { checkKey } from './relay-client.ts';
import { observeRelayDate } from './relay-clock.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));

const record = (phase: Phase): CallRecord => callOnItsWay({ phase, relayRevision: 1 });

test('forgetting removes a call of unknown end, but keeps calls in progress', async () => {
  const at = new Date().toISOString();
  const error = { code: 'connectionLost', message: 'the relay did not answer' } as const;
  const unknown = record('placed');
  await storeCall(unknown);
  await changeCall(unknown.id, (current) => withFact(current, { kind: 'notAnswered', at, error }));
  expect((await openCalls()).map(({ id }) => id)).toEqual([unknown.id]);
  const sending = record('sending');
  const ringing = record('placed');
  await storeCall(sending);
  await storeCall(ringing);
  await changeCall(ringing.id, (current) => withFact(current, { kind: 'accepted', at, callid: 'c1' }));

  expect(await forgetPastCalls()).toBe(2);
  const { records } = await pastCalls({ limit: 10 });
  expect(new Set(records.map(({ id }) => id))).toEqual(new Set([sending.id, ringing.id]));
});

test.each([0, 3_600_000, -3_600_000])(
  'a relay whose clock is %d ms ahead says since when two talk',
  (ahead) => {
    const now = new Date();
    const atRelay = new Date(now.getTime() + ahead);
    observeRelayDate(atRelay.toUTCString());
    const own = record('placed');
    const connectedAt = atRelay.toISOString();
    const connected = { ...own.call, revision: 2, state: 'connected', connectedAt } as const;
    const since = Date.parse(withRelayCall(own, connected).call.connectedAt!);
    expect(Math.abs(since - now.getTime())).toBeLessThan(2_000);
    observeRelayDate(now.toUTCString());
  },
);

test('a finished call stays unfinished until its outcome is known', async () => {
  const over = record('placed');
  await storeCall(over);
  const details = { kind: 'hungUp', details: { talkSeconds: 60 }, at: new Date().toISOString() } as never;
  await changeCall(over.id, (current) => withFact(current, details));
  expect((await getCall(over.id))?.open).toBe(2);
  expect((await unfinishedCalls()).map(({ id }) => id)).toContain(over.id);

  await changeCall(over.id, (current) => ({
    ...current,
    call: { ...current.call, wrapUp: { outcome: 'reached', revision: 1 } },
  }));
  expect((await getCall(over.id))?.open).toBe(0);
});

test('a finished call whose outcome never came is no longer unfinished', async () => {
  const old = { ...record('placed'), open: 2 as const, outcomeAt: '2026-05-04T13:05:10.000Z' };
  const call = { ...old.call, state: 'disconnected' as const };
  await storeCall({ ...old, call });
  expect((await unfinishedCalls()).map(({ id }) => id)).not.toContain(old.id);
  expect((await getCall(old.id))?.open).toBe(0);
});

test("removes the notes of every call where the relay's answer to a revoked key asks for it", async () => {
  const noted = record('placed');
  await storeCall({ ...noted, note: 'Wants a rebate' });
  await changeCall(noted.id, (current) => ({
    ...current,
    call: { ...current.call, wrapUp: { outcome: 'reached', note: 'Spoke of her illness', revision: 2 } },
  }));
  const relay = { url: 'https://relay.example', key: 'revoked' };
  const problem = { type: 'about:blank', title: 'A valid key is needed', status: 401, code: 'unauthorized' };
  const answer = (body: object) =>
    vi.stubGlobal('fetch', async () => Response.json(body, { status: 401 })) && checkKey(relay);
  await answer(problem);
  expect((await getCall(noted.id))?.note).toBe('Wants a rebate');
  await answer({ ...problem, removeNotes: true });
  const kept = (await getCall(noted.id))!;
  expect([kept.note, kept.call.wrapUp]).toEqual(['', { outcome: 'reached', revision: 2 }]);
});

test('a revoked key also removes notes that are not saved yet', async () => {
  session
    .set('draft:note-a', 'Wants a rebate')
    .set('draft:b', { draft: { note: 'Ill' } })
    .set('sheet', 'c');
  const problem = { type: 'about:blank', title: 'A valid key is needed', status: 401, code: 'unauthorized' };
  vi.stubGlobal('fetch', async () => Response.json({ ...problem, removeNotes: true }, { status: 401 }));
  await checkKey({ url: 'https://relay.example', key: 'revoked' });
  expect([...session.keys()]).toEqual(['sheet']);
});

test('a removal of notes opens no transaction for a call without notes', async () => {
  const noted = record('placed');
  await storeCall({ ...noted, note: 'Wants a rebate' });
  for (let count = 0; count < 20; count++) await storeCall(record('placed'));
  const transactions = vi.spyOn(IDBDatabase.prototype, 'transaction');
  await removeNotes();
  // One reads the calls, and one changes the call with a note.
  expect(transactions).toHaveBeenCalledTimes(2);
  expect((await getCall(noted.id))?.note).toBe('');
});
