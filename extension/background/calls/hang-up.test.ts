import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Call, newCallId } from '../../../shared/call/call.ts';
import { text } from '../../text.ts';
import type { CallRecord } from './call-record.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.stubGlobal('__BROWSER__', 'chrome');

const { hangUp } = await import('./hang-up.ts');
const { storeCall } = await import('../../../testing/extension/store-call.ts');
const { readSettings, updateSettings } = await import('../settings/settings-store.ts');
const { writeSecret } = await import('../settings/secrets.ts');

const relay = 'http://127.0.0.1:8787';
let asked: string[] = [];
let answer: () => Response;
vi.stubGlobal('fetch', async (url: string, { method, headers }: RequestInit) => {
  asked.push(`${method} ${url} ${(headers as Record<string, string>).authorization}`);
  return answer();
});

beforeEach(async () => {
  asked = [];
  await updateSettings((own) => ({ ...own, connection: { ...own.connection, relayUrl: relay } }));
  await writeSecret('agentKey', 'dmk_agent', (await readSettings()).settings);
});

const tab = { id: 7, frameId: 0 };
async function aCall(fields: Partial<Call> = {}): Promise<Call> {
  const createdAt = new Date().toISOString();
  const call: Call = {
    id: newCallId(),
    from: '1105',
    to: '48',
    state: 'connected',
    canHangUp: true,
    createdAt,
    revision: 3,
    ...fields,
  };
  await storeCall({ id: call.id, call, phase: 'placed', open: 1, tab, createdAt } as CallRecord);
  answer = () => Response.json(call, { status: 202 });
  return call;
}
const problem = (status: number, code: string) => () =>
  Response.json({ type: 'urn:x', title: code, status, code }, { status });

test('asks the relay to hang up, for our pages or the frame that placed the call', async () => {
  const { id } = await aCall();
  for (const frame of [undefined, tab]) expect(await hangUp(id, frame)).toEqual({ ok: true, value: null });
  const request = `DELETE ${relay}/v1/calls/${id} Bearer dmk_agent`;
  expect(asked).toEqual([request, request]);
});

test.each([
  ['another tab', { id: 8, frameId: 0 }],
  ['another frame', { id: 7, frameId: 2 }],
])('refuses %s', async (_where, frame) => {
  const { id } = await aCall();
  expect(await hangUp(id, frame)).toMatchObject({ ok: false, error: { code: 'notAllowedHere' } });
  expect(asked).toEqual([]);
});

test('asks nothing for a call that is over, or that cannot be hung up', async () => {
  const over = await aCall({ state: 'disconnected' });
  expect((await hangUp(over.id)).ok).toBe(true);
  const cloud = await aCall({ state: 'callingCaller', canHangUp: undefined });
  expect(await hangUp(cloud.id)).toMatchObject({ ok: false, error: { code: 'hangUpFailed' } });
  expect(asked).toEqual([]);
});

test('takes a call that is just over for hung up, with a sentence for any other failure', async () => {
  const { id } = await aCall();
  answer = problem(409, 'callFinished');
  expect((await hangUp(id)).ok).toBe(true);
  for (const failure of [
    problem(409, 'cannotHangUp'),
    problem(502, 'providerUnreachable'),
    () => Response.error(),
    () => {
      throw new DOMException('The operation timed out.', 'TimeoutError');
    },
  ]) {
    answer = failure;
    expect(await hangUp(id)).toMatchObject({ ok: false, error: { code: 'hangUpFailed' } });
  }
  // After a time-out, the relay may have ended the call.
  expect(text('error_hangUpFailed')).toMatch(/may go on/);
});
