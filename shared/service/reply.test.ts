import { describe, expect, it } from 'vitest';
import { readReply, replyWithoutSecrets } from './reply.ts';

const at = '2026-11-21T10:00:00.000Z';
const json = (body: unknown, status = 200) => readReply({ status, body: JSON.stringify(body) }, at);

describe('a reply', () => {
  it('is read without the token that it quotes', () => {
    const quoted = {
      status: 401,
      body: '{"message":"token s3rvice-token is not ours: s3rvice\\u002dtoken"}',
    };
    expect(readReply(replyWithoutSecrets(quoted, ['s3rvice-token']), at)).toMatchObject({
      error: {
        message: 'the service does not accept the token (HTTP 401): token [removed] is not ours: [removed]',
      },
    });
    const page = { status: 200, body: '<p>token s3rvice%2Dtoken</p>' };
    expect(replyWithoutSecrets(page, ['s3rvice-token']).body).toBe('<p>token [removed]</p>');
    const accepted = { status: 200, body: '{"status":"OK","callid":"c1"}' };
    expect(replyWithoutSecrets(accepted, ['OK'])).toEqual(accepted);
  });

  it('is read however deep it is nested', () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const reply = { status: 200, body: `{"status":"OK","callid":"c1","of":"s3rvice-token","more":${deep}}` };
    const read = replyWithoutSecrets(reply, ['s3rvice-token']);
    expect(read.body).not.toContain('s3rvice');
    expect(readReply(read, at)).toEqual({ kind: 'accepted', at, callid: 'c1' });
  });

  it('with OK is an accepted call with its id', () => {
    expect(json({ status: 'OK', callstatus: 'Trying', message: 'Call in Progress', callid: 'c1' })).toEqual({
      kind: 'accepted',
      at,
      callid: 'c1',
    });
  });

  it('may have the id as a number, or none', () => {
    expect(json({ status: 'OK', callid: 77 })).toMatchObject({ kind: 'accepted', callid: '77' });
    expect(json({ status: 'ok', callstatus: 'Trying' })).toEqual({ kind: 'accepted', at });
  });

  const statuses = ['Success', 'OK ', 'Accepted', 'queued', 200, 'ERROR', '', undefined];

  it.each(statuses)('with a callid is accepted under it, whatever its status says: %j', (status) => {
    const accepted = { kind: 'accepted', at, callid: 'c1' };
    for (const httpStatus of [200, 201, 202])
      expect(json({ status, callid: 'c1' }, httpStatus)).toEqual(accepted);
    expect(json({ status, message: 'Call in Progress', callid: 'c1' })).toEqual(accepted);
  });

  it.each(statuses)('with Trying is accepted, whatever its status says: %j', (status) => {
    expect(json({ status, callstatus: 'Trying', message: 'ok' })).toEqual({ kind: 'accepted', at });
    expect(json({ status, callstatus: ' trying', callid: 5 })).toMatchObject({ callid: '5' });
  });

  it('with OK is accepted although its message names lost-call', () => {
    const message = 'Call in Progress; it ends as lost-call after 12 seconds';
    for (const status of ['OK', 'ok ', 'Success'])
      expect(json({ status, callstatus: 'Trying', message, callid: 'c1' })).toMatchObject({
        kind: 'accepted',
        callid: 'c1',
      });
    expect(json({ status: 'OK', message })).toMatchObject({ kind: 'accepted' });
  });

  it.each(['Success', 'queued', 'not answered yet', undefined])(
    'with a callid is accepted although its message names lost-call: status %j',
    (status) => {
      const message = 'Ringing; it ends as lost-call after 12 seconds';
      for (const error of [undefined, 0, '', null, 'none', {}, { code: 0 }])
        expect(json({ status, message, error, callid: 'c1' })).toEqual({
          kind: 'accepted',
          at,
          callid: 'c1',
        });
    },
  );

  it('with lost-call but a callid keeps the callid', () => {
    for (const body of [{ status: 'lost-call' }, { status: 'error', message: 'lost-call' }])
      expect(json({ ...body, callid: 'c1' })).toEqual({ kind: 'lostCall', at, details: { callid: 'c1' } });
  });

  it.each([
    { status: 'Success' },
    { status: 'Accepted', message: 'Call in Progress' },
    { status: 200 },
    { message: 'queued' },
    { id: 77, state: 'created' },
    { status: 'Success', error: 0 },
    { status: 'queued', error: 'none' },
    { status: 'queued', error: {} },
    { status: 'Success', error: { code: 0, message: '' } },
    { status: 'not answered yet' },
  ])('of 2xx that says neither OK nor why not may be ringing: %j', (body) => {
    expect(json(body)).toMatchObject({ kind: 'notAnswered', error: { code: 'unreadableReply' } });
    expect(json(body, 202).kind).toBe('notAnswered');
  });

  it.each([
    { status: 'ERROR' },
    { status: 'Failed', message: 'no credit' },
    { status: 'rejected: no credit' },
    { status: 422, message: 'no credit' },
    { error: 'no credit' },
    { error: { message: 'no credit' } },
    { success: false, message: 'no credit' },
  ])('of 2xx that says why not is a refusal: %j', (body) => {
    expect(json(body)).toMatchObject({ kind: 'refused', error: { code: 'refusedByProvider' } });
  });

  it.each([
    { status: 'lost-call' },
    { status: 'ERROR', callstatus: 'lost-call' },
    { status: 'error', error: 'lost-call' },
    { status: 'error', message: 'Lost-Call: from did not answer' },
    { error: { code: 'lost-call' } },
    { error: { message: 'lost-call' } },
    { event: 'lost_call' },
  ])('with lost-call in any member is an unanswered caller: %j', (body) => {
    expect(json(body).kind).toBe('lostCall');
    expect(json(body, 408).kind).toBe('lostCall');
  });

  it('in JSON with a reason is a refusal in the words of the service', () => {
    expect(json({ status: 'ERROR', message: 'unknown extension' }, 400)).toMatchObject({
      kind: 'refused',
      error: { code: 'refusedByProvider', message: 'unknown extension' },
    });
    expect(json({ status: 'ERROR', message: 'no credit' })).toMatchObject({ kind: 'refused' });
    expect(json({ error: { message: 'nope' } }, 422)).toMatchObject({
      kind: 'refused',
      error: { message: 'nope' },
    });
  });

  it.each([500, 502, 503, 504, 507, 520, 522, 524, 599])(
    'of %i is notAnswered whatever its body: the service may have dialled before',
    (status) => {
      const bodies = [{ status: 'ERROR', message: 'nope' }, { status: 'OK' }, { status: 'lost-call' }, {}];
      for (const body of bodies) expect(json(body, status).kind).toBe('notAnswered');
      expect(json({ message: 'nope' }, status)).toMatchObject({
        error: { message: `the service failed (HTTP ${status}): nope` },
      });
      for (const body of ['<h1>error</h1>', '', 'no'])
        expect(readReply({ status, body }, at).kind).toBe('notAnswered');
    },
  );

  it.each([501, 505])('of %i is a refusal, JSON or not', (status) => {
    expect(json({ message: 'nope' }, status).kind).toBe('refused');
    expect(readReply({ status, body: 'no' }, at).kind).toBe('refused');
  });

  it('of 401 or 403 is a wrong token, JSON or not', () => {
    expect(json({ message: 'invalid token' }, 401)).toMatchObject({
      kind: 'refused',
      error: { code: 'wrongToken' },
    });
    expect(readReply({ status: 403, body: 'no' }, at)).toMatchObject({
      kind: 'refused',
      error: { code: 'wrongToken' },
    });
  });

  it('of 404 without JSON is a wrong path', () => {
    expect(readReply({ status: 404, body: '<html>' }, at)).toMatchObject({
      kind: 'refused',
      error: { code: 'wrongPath' },
    });
  });

  it.each([
    [{ status: 200, body: '<html><body>Login</body></html>' }, 'notJson'],
    [{ status: 200, body: 'OK' }, 'unreadableReply'],
    [{ status: 200, body: '' }, 'unreadableReply'],
    [{ status: 200, body: '{"status":"OK"' }, 'unreadableReply'],
    [{ status: 200, body: '[]' }, 'unreadableReply'],
    [{ status: 200, body: '{}' }, 'unreadableReply'],
    [{ status: 500, body: '<h1>error</h1>' }, 'notJson'],
    [{ status: 502, body: '<html>Bad gateway</html>' }, 'notJson'],
    [{ status: 502, body: '{"message":"upstream"}' }, 'unreadableReply'],
    [{ status: 504, body: '' }, 'unreadableReply'],
  ])('that cannot be read is notAnswered, since the call may be ringing: %j', (reply, code) => {
    expect(readReply(reply, at)).toMatchObject({ kind: 'notAnswered', error: { code } });
  });

  it('has no control characters in its message, which is limited in length', () => {
    const fact = json({ status: 'ERROR', message: `a\nb\u202Ec${'x'.repeat(1000)}` }, 400);
    expect(fact).toMatchObject({ kind: 'refused' });
    if (fact.kind !== 'refused') return;
    expect(fact.error.message).not.toMatch(/[\n\u202E]/);
    expect(fact.error.message.length).toBeLessThanOrEqual(300);
  });
});
