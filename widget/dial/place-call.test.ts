import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { newCall, newCallId } from '../../shared/call/call.ts';
import { type HttpService, serveHttp } from '../../testing/servers/serve-http.ts';
import { placeCallByTicket } from './place-call.ts';

type Reply = (response: ServerResponse) => void;

const lost: Reply = (response) => void response.destroy();
const problem =
  (status: number, code: string): Reply =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ code }));
const unreadable: Reply = (response) =>
  void response.writeHead(201, { 'content-type': 'application/json' }).end('{"state":"new"}');
const placed: Reply = (response) => {
  const call = newCall({ id: newCallId(), from: '1105', to: '4833224455', now: new Date().toISOString() });
  response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(call));
};

const relays: HttpService[] = [];
afterEach(() => Promise.all(relays.splice(0).map((relay) => relay.close())));

/** The outcome of one press at a relay that gives these replies in turn: `placed`, or the error's code. */
async function outcomeAfter(...replies: Reply[]): Promise<string> {
  const relay = await serveHttp((request, response) => {
    request.resume();
    replies.shift()!(response);
  });
  relays.push(relay);
  const ticket = { text: 'dmt_x', subject: 'x', mayHangUp: true };
  return placeCallByTicket(relay.url, async () => ticket, '4833224455').then(
    () => 'placed',
    ({ code }) => code,
  );
}

describe('placeCall', () => {
  it.each([
    ['perhapsPlaced', [lost, placed]],
    ['notPlaced', [problem(401, 'ticketExpired'), placed]],
  ])('sends nothing more after the computer has slept: %s', async (code, [before, after]) => {
    const now = vi.spyOn(Date, 'now');
    const sleeps: Reply = (response) => {
      now.mockReturnValue(performance.timeOrigin + performance.now() + 3600_000);
      before!(response);
    };
    const outcome = await outcomeAfter(sleeps, after!);
    now.mockRestore();
    expect(outcome).toBe(code);
  });

  it.each([
    ['tooManyCalls', [problem(429, 'tooManyCalls')]],
    ['numberNotAllowed', [problem(403, 'numberNotAllowed')]],
    ['notPlaced', [problem(400, 'invalidFields')]],
    ['placed', [lost, placed]],
    ['placed', [problem(401, 'ticketExpired'), placed]],
    ['notPlaced', [problem(401, 'unauthorized'), problem(401, 'unauthorized'), problem(401, 'unauthorized')]],
  ])('reports %s where every reply proves it', async (code, replies) => {
    expect(await outcomeAfter(...replies)).toBe(code);
  });

  it.each([
    ['a 429', [lost, problem(429, 'tooManyRequests')]],
    ['a 429 for too many calls', [problem(503, 'storeUnavailable'), problem(429, 'tooManyCalls')]],
    ['a 401', [lost, problem(401, 'unauthorized'), problem(401, 'unauthorized')]],
    ['a 403', [unreadable, problem(403, 'numberNotAllowed')]],
    ['a 5xx', [lost, lost, problem(503, 'stopping')]],
    ['nothing readable', [unreadable, unreadable, unreadable]],
  ])(
    'reports that the call may have been placed where %s follows a try without a reply',
    async (_, replies) => {
      expect(await outcomeAfter(...replies)).toBe('perhapsPlaced');
    },
  );
});
