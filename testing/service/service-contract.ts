/**
 * The calling service's interface as tests. The sandbox and our service on a real Asterisk must both pass them. So the
 * sandbox behaves as a real service does.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EndFact, ownFields, readNotification } from '../../shared/service/notification.ts';
import { readReply } from '../../shared/service/reply.ts';
import {
  buildCall,
  type CallMethod,
  type CallRequest,
  type TokenPlace,
} from '../../shared/service/request.ts';
import { type Receiver, startReceiver } from '../servers/receiver.ts';
import { until } from '../until.ts';
import { wrongValues } from './wrong-values.ts';

interface ServiceUnderTest {
  url: string;
  token: string;
  /** A number whose callee answers and hangs up soon after. */
  answeredNumber: string;
  /** A call whose caller does not answer. */
  lostCall: Pick<CallRequest, 'from' | 'to'>;
  close(): Promise<unknown>;
}

type Fields = Record<string, unknown>;
const at = '2026-11-20T12:00:00.000Z';
const iso = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const seconds = expect.stringMatching(/^\d+$/);
const clock = expect.stringMatching(/^\d\d:\d\d:\d\d$/);
const text = expect.stringMatching(/./);
const callflowFields =
  'event privilege channel channelstate channelstatedesc calleridnum calleridname connectedlinenum ' +
  'connectedlinename language accountcode context exten priority uniqueid linkedid';

/** @param open starts the service; notifications may go to this address. */
export function describeServiceContract(
  name: string,
  open: (returnUrl: string) => Promise<ServiceUnderTest>,
): void {
  describe(name, () => {
    const under = useService(open);
    describe('/call', () => {
      describeAccepted(under);
      describeRefused(under);
    });
    describe('the notification', () => describeNotification(under));
  });
}

const callidOf = ({ body }: { body: string }) => (JSON.parse(body) as { callid: string }).callid;

/** Starts service and receiver for the tests around, which may read both once they run. */
function useService(open: (returnUrl: string) => Promise<ServiceUnderTest>) {
  let receiver: Receiver;
  let service: ServiceUnderTest;
  beforeAll(async () => {
    receiver = await startReceiver();
    service = await open(receiver.url);
  });
  afterAll(async () => {
    await service?.close();
    await receiver?.close();
  });

  const answered = (fields: Partial<CallRequest> = {}): CallRequest => ({
    from: '1105',
    to: service.answeredNumber,
    returnurl: receiver.url,
    ...fields,
  });
  async function place(request: CallRequest, method: CallMethod = 'post', tokenIn: TokenPlace = 'header') {
    const { url, ...init } = buildCall(service.url, request, { token: service.token, tokenIn }, method);
    const response = await fetch(url, init);
    return { status: response.status, body: await response.text() };
  }
  /** Sends a request as anyone might. */
  async function post(body: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${service.url}/call`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.token}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const { message, errors } = (await response.json()) as { message: string; errors: { field: string }[] };
    return { status: response.status, message, fields: errors.map(({ field }) => field) };
  }
  /** The notification of the end, once it came. */
  const end = (callid: string, key = 'callid') =>
    until(() => receiver.received.find(({ body }) => body[key] === callid), `the end of ${callid}`);
  const notified = async (request: CallRequest) => (await end(callidOf(await place(request)))).body;

  return {
    get service() {
      return service;
    },
    get receiver() {
      return receiver;
    },
    answered,
    place,
    post,
    end,
    notified,
  };
}

type UnderTest = ReturnType<typeof useService>;

function describeAccepted(under: UnderTest): void {
  const { answered, place, end, notified } = under;
  for (const method of ['post', 'get'] as const)
    for (const tokenIn of ['header', 'body', 'query'] as const)
      it(`takes a call by ${method} with the token in the ${tokenIn}`, async () => {
        const reply = await place(answered({ timeout: 20, callerid: '551140028922' }), method, tokenIn);
        expect({ ...reply, body: JSON.parse(reply.body) }).toEqual({
          status: 200,
          body: { status: 'OK', callstatus: 'Trying', message: 'Call in Progress', callid: text },
        });
        expect(readReply(reply, at)).toMatchObject({ kind: 'accepted' });
        await end(callidOf(reply));
      });

  it('gives each call an id of its own', async () => {
    const callids = [callidOf(await place(answered())), callidOf(await place(answered()))];
    expect(new Set(callids).size).toBe(2);
    for (const callid of callids) await end(callid);
  });

  it('takes the number as a JSON number, too', async () => {
    const request = { ...answered(), to: Number(under.service.answeredNumber) } as unknown as CallRequest;
    expect(await notified(request)).toMatchObject({ to: under.service.answeredNumber });
  });
}

function describeRefused(under: UnderTest): void {
  const { answered, post } = under;
  it.each(wrongValues)('refuses %s = %j with the name of the field', async (field, value) => {
    const { status, message, fields } = await post({ ...answered(), [field]: value });
    expect([status, fields]).toEqual([400, [field]]);
    expect(message).toContain(`${field}: expected`);
  });

  it.each(ownFields)('refuses a map that gives the name of its own field %s to another', async (field) => {
    const map = `billsec:${field}`;
    expect(await post({ ...answered(), events: 'all', map })).toMatchObject({
      status: 400,
      fields: ['map'],
    });
  });

  it('names every field that is wrong, not only the first', async () => {
    const { fields } = await post({ ...answered(), timeout: 0, version: 'v3' });
    expect(fields.toSorted()).toEqual(['timeout', 'version']);
  });

  it.each([
    ['no JSON', 'from=1105', 400],
    ['a list', '[]', 400],
    ['nothing', '', 400],
    ['nested 30,000 levels deep', '['.repeat(30_000) + ']'.repeat(30_000), 400],
    ['an object that is', `{"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 400],
  ])('refuses a body that is %s', async (_what, body, status) => {
    expect(await post(body)).toMatchObject({ status, fields: ['body'] });
  });

  it('refuses another content type', async () => {
    expect(await post('{}', { 'content-type': 'text/plain' })).toMatchObject({
      status: 415,
      fields: ['content-type'],
    });
  });

  it('refuses a field that comes twice in the query', async () => {
    const query = new URLSearchParams({ token: under.service.token, from: '1105', to: '1' });
    const response = await fetch(`${under.service.url}/call?${query}&to=2`);
    expect(response.status).toBe(400);
  });

  it.each([
    ['no token', undefined],
    ['a wrong one', 'Bearer wrong'],
    ['another scheme', 'Basic YTpi'],
  ])('refuses %s', async (_what, authorization) => {
    const response = await fetch(`${under.service.url}/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
      body: JSON.stringify(answered()),
    });
    expect(response.status).toBe(401);
    expect(readReply({ status: response.status, body: await response.text() }, at)).toMatchObject({
      kind: 'refused',
      error: { code: 'wrongToken' },
    });
  });

  it('takes the scheme of the token in any case, as HTTP has it', async () => {
    const authorization = `bearer  ${under.service.token}`;
    expect((await post({ ...answered(), to: '' }, { authorization })).fields).toEqual(['to']);
  });

  it('refuses two tokens, since which one wins is not defined', async () => {
    expect(await post({ ...answered(), token: under.service.token })).toMatchObject({
      status: 400,
      fields: ['token'],
    });
  });
}

function describeNotification(under: UnderTest): void {
  const { answered, place, end, notified } = under;
  it('has every field of the interface, v1', async () => {
    const reply = await place(answered());
    const { body, headers } = await end(callidOf(reply));
    expect(headers['content-type']).toBe('application/json');
    expect(body).toEqual({
      event: 'hangup',
      action: 'click-to-call',
      calldate: expect.stringMatching(iso),
      hangupdate: expect.stringMatching(iso),
      uniqueid: text,
      linkedid: text,
      callid: callidOf(reply),
      from: '00001105',
      to: under.service.answeredNumber,
      mainchannel: expect.stringMatching(/^PJSIP\//),
      route: 'local',
      audio_file: expect.stringMatching(/^[^/]+\.wav$/),
      audio_url: expect.stringMatching(/^http/),
      billsec: seconds,
      duration: seconds,
      callflow: expect.any(Object),
      customer: [{ phone: under.service.answeredNumber }],
      owner: [{ endpoint: '1105' }],
      request: { returnurl: under.receiver.url },
    });
    expect(Number(body.billsec)).toBeGreaterThan(0);
    expect(Number(body.duration)).toBeGreaterThanOrEqual(Number(body.billsec));
    expect(Date.parse(body.hangupdate as string)).toBeGreaterThanOrEqual(Date.parse(body.calldate as string));
    const legs = body.callflow as Record<string, Fields>;
    expect(Object.keys(legs).length).toBeGreaterThan(1);
    for (const [uniqueid, leg] of Object.entries(legs)) {
      const strings = callflowFields.split(' ').map((field) => [field, expect.any(String)]);
      expect(leg).toEqual({ ...Object.fromEntries(strings), event: 'Newchannel', uniqueid });
    }
  });

  it('has clock times in v2', async () => {
    expect(await notified(answered({ version: 'v2' }))).toMatchObject({
      billsec: clock,
      duration: clock,
    });
  });

  it.each(['v1', 'v2'] as const)('leads to the recording in %s', async (version) => {
    const body = await notified(answered({ version }));
    const fact = readNotification(body, { version, at }) as EndFact;
    const recording = await fetch(fact.details!.recordingUrl!);
    expect([recording.status, recording.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    expect(Buffer.from(await recording.arrayBuffer()).toString('latin1', 0, 4)).toBe('RIFF');
  });

  it('shows the origin without 0000 where force_from asks so', async () => {
    expect(await notified(answered({ force_from: 'yes' }))).toMatchObject({ from: '1105' });
    expect(await notified(answered({ force_from: 'no' }))).toMatchObject({ from: '00001105' });
  });

  it.each(['post', 'get'] as const)('has the names that map gives, by %s', async (method) => {
    const map = 'callid:external_id,billsec:talk';
    const { body } = await end(callidOf(await place(answered({ map }), method)), 'external_id');
    expect(body).toMatchObject({ talk: seconds });
    expect(body).not.toHaveProperty('callid');
    expect(body).not.toHaveProperty('billsec');
  });

  it('names a lost call where the caller does not answer', async () => {
    const body = await notified(answered({ ...under.service.lostCall, timeout: 1 }));
    expect(body).toMatchObject({ event: 'lost-call', billsec: '0', audio_file: '', audio_url: '' });
    expect(readNotification(body, { version: 'v1', at })).toMatchObject({ kind: 'lostCall' });
  });

  it('goes nowhere without a returnurl', async () => {
    const { returnurl: _, ...request } = answered();
    const silent = callidOf(await place(request));
    await notified(answered());
    expect(under.receiver.received.filter(({ body }) => body.callid === silent)).toEqual([]);
  });
}
