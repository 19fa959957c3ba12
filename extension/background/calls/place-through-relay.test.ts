import 'fake-indexeddb/auto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, expect, test, vi } from 'vitest';
import { type Call, newCall, newCallId } from '../../../shared/call/call.ts';
import { callOnItsWay } from '../../../testing/extension/call-on-its-way.ts';
import { freePort } from '../../../testing/servers/free-port.ts';
import { serveHttp } from '../../../testing/servers/serve-http.ts';
import type { CallRecord } from './call-record.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.stubGlobal('__BROWSER__', 'chrome');

const { getCall } = await import('./call-store.ts');
const { storeCall } = await import('../../../testing/extension/store-call.ts');
const { sentenceOf } = await import('./call-words.ts');
const { placeThroughRelay } = await import('./place-through-relay.ts');

/** What the relay, or what stands in its place, does with one request that it has read. */
type Answer = (call: Call, response: ServerResponse, request: IncomingMessage) => void;

const answers = (status: number, body: object | string): Answer => {
  const isText = typeof body === 'string';
  return (_call, response) =>
    response
      .writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json' })
      .end(isText ? body : JSON.stringify(body));
};
const problem = (status: number, code: string, members: object = {}): Answer =>
  answers(status, { type: `urn:dialmark:problem:${code}`, title: code, status, code, ...members });
const withCall =
  (status: number, change: (call: Call) => object): Answer =>
  (call, response, request) =>
    answers(status, change(call))(call, response, request);

/** Says nothing of whether the relay has the call. */
const ambiguous: Record<string, Answer> = {
  'a reset after reading': (_call, _response, { socket }) => socket.destroy(),
  'half an answer': (call, response) => {
    response.writeHead(201, { 'content-length': 1000 }).write(JSON.stringify(call));
    setImmediate(() => response.destroy());
  },
  'a redirect': (_call, response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
  '500 with a problem': problem(500, 'internal'),
  '502 by a gateway': answers(502, '<h1>Bad Gateway</h1>'),
  '503 with a problem': problem(503, 'storeUnavailable'),
  '504 by a gateway': answers(504, '<h1>Gateway Timeout</h1>'),
  '520 with JSON': answers(520, { error: 'unknown' }),
  '524 with JSON': answers(524, { error: 'timeout' }),
};
/** Not understood: it may hold the call, in the form of a newer relay. */
const unreadable: Record<string, Answer> = {
  '201 with a Call of a newer relay': withCall(201, (call) => ({ ...call, legs: 'two' })),
  '200 with a web page': answers(200, '<h1>It works</h1>'),
  '409 with a Call of a newer relay': withCall(409, (call) => ({
    type: 't',
    title: 't',
    status: 409,
    code: 'callOver',
    call: { ...call, legs: 'two' },
  })),
};
/** Refuses this request; says nothing of one before it. */
const refusals: Record<string, Answer> = {
  '400': problem(400, 'invalidFields'),
  '401': problem(401, 'unauthorized'),
  '403': problem(403, 'numberNotAllowed'),
  '404 by another server': answers(404, '<h1>Not Found</h1>'),
  '422': problem(422, 'idempotencyKeyReused'),
  '429': problem(429, 'tooManyCalls'),
  '501': problem(501, 'notImplemented'),
  '505': answers(505, '<h1>HTTP Version Not Supported</h1>'),
};
/** A Call, whatever its status. */
const proofs: Record<string, [Answer, Partial<Call>]> = {
  'a Call that rings': [
    withCall(201, (call) => ({ ...call, state: 'callingCaller', revision: 1 })),
    { state: 'callingCaller' },
  ],
  'a Call that failed, in a 503': [
    (call, ...rest) =>
      problem(503, 'notSent', { call: { ...call, state: 'failed', reason: 'notSent', revision: 1 } })(
        call,
        ...rest,
      ),
    { state: 'failed', reason: 'notSent' },
  ],
};

const plans = new Map<string, { call: Call; answers: Answer[] }>();
const relay = await serveHttp((request, response) => {
  request.resume().on('end', () => {
    const plan = plans.get(String(request.headers['idempotency-key']))!;
    // The last answer is the one to every further try.
    const answer = plan.answers.length > 1 ? plan.answers.shift()! : plan.answers[0]!;
    answer(plan.call, response, request);
  });
});
afterAll(relay.close);

/** Places a call through a relay that answers so, try by try. */
const placed = (...tries: Answer[]): Promise<CallRecord> => placedAt(relay.url, tries);
async function placedAt(url: string, tries: Answer[] = [], record = callOnItsWay()): Promise<CallRecord> {
  const { id, call } = record;
  plans.set(id, { call, answers: [...tries] });
  await storeCall(record);
  await placeThroughRelay(record, { url, key: 'agent-key' });
  return (await getCall(id))!;
}
const endOf = ({ call: { state, reason } }: CallRecord) => ({ state, ...(reason && { reason }) });
const mayRing = { state: 'unknown', reason: 'notAnswered' };
const saysMayRing = 'so your phone may ring';

test.each(Object.entries({ ...ambiguous, ...unreadable }))(
  '%s at every try: it may be ringing',
  async (_name, answer) => {
    const record = await placed(answer);
    expect(endOf(record)).toEqual(mayRing);
    expect(record.failure).toBeUndefined();
    expect(sentenceOf(record)).toContain(saysMayRing);
  },
);

test.concurrent('no relay at all: a browser cannot prove that nothing was sent', async () => {
  const record = await placedAt(`http://127.0.0.1:${await freePort()}`);
  expect(endOf(record)).toEqual(mayRing);
});

const pairs = Object.entries(ambiguous).flatMap(([first, answer]) =>
  Object.entries({ ...refusals, ...unreadable }).map(([then, refusal]) => ({
    first,
    then,
    tries: [answer, refusal],
  })),
);
test.concurrent.each(pairs)('$first, then $then: it may be ringing', async ({ tries }) => {
  const record = await placed(...tries);
  expect(endOf(record)).toEqual(mayRing);
  expect(sentenceOf(record)).toContain(saysMayRing);
});

test.concurrent.each(Object.entries(refusals))(
  '%s at the first try: nothing was placed',
  async (_name, answer) => {
    const record = await placed(answer);
    expect(endOf(record)).toEqual({ state: 'failed', reason: 'notSent' });
    expect(record.failure).toBeDefined();
  },
);

const proven = Object.entries({ 'the first try': undefined, ...ambiguous }).flatMap(([first, answer]) =>
  Object.entries(proofs).map(([proof, [last, outcome]]) => ({
    first,
    proof,
    tries: answer ? [answer, last] : [last],
    outcome,
  })),
);
test.concurrent.each(proven)('$proof after $first: as the relay says', async ({ tries, outcome }) => {
  expect(endOf(await placed(...tries))).toEqual(outcome);
});

test('a relay that was silent until the timeout is not asked to place the call again', async () => {
  const timeout = new AbortController();
  const timeouts = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timeout.signal);
  const record = await placed(() => timeout.abort(), proofs['a Call that rings']![0]);
  timeouts.mockRestore();
  expect(endOf(record)).toEqual(mayRing);
  expect(sentenceOf(record)).toContain(saysMayRing);
});

test('a computer that slept after the click does not place the call when it wakes', async () => {
  const clicked = callOnItsWay({ createdAt: new Date(Date.now() - 3600_000).toISOString() });
  const tries = [ambiguous['a reset after reading']!, proofs['a Call that rings']![0]];
  expect(endOf(await placedAt(relay.url, tries, clicked))).toEqual(mayRing);
});

test('a refusal that names an earlier call keeps the refused call apart from it', async () => {
  const earlier = newCall({ id: newCallId(), from: '1105', to: '4832221000', now: new Date().toISOString() });
  const last = { ...earlier, state: 'disconnected', talkSeconds: 240, revision: 7 };
  const { call, failure, ...record } = await placed(problem(409, 'outcomeRequired', { call: last }));
  expect(call).toMatchObject({ id: record.id, to: '4833224455', state: 'failed', reason: 'notSent' });
  expect(call).not.toHaveProperty('talkSeconds');
  expect(failure?.code).toBeDefined();
});
