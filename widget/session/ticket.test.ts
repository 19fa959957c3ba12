import { afterEach, describe, expect, it, vi } from 'vitest';
import { keepTicket, readTicket } from './ticket.ts';

const ticket = (claims: object) => `dmt_key.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.mac`;

afterEach(() => void vi.useRealTimers());

describe('a ticket', () => {
  it('tells what it is for, the same for every ticket of one agent at one site', () => {
    const claims = { site: 's', from: '1105', rights: ['watch'], expires: 1000 };
    const [first, again] = [
      ticket({ ...claims, nonce: 'a' }),
      ticket({ ...claims, expires: 2000, nonce: 'ü' }),
    ];
    expect(readTicket(first).subject).toBe(readTicket(again).subject);
    expect(readTicket(first).expires).toBe(1000);
    for (const other of [{ from: '1106' }, { site: 't' }, { rights: ['watch', 'dial'] }])
      expect(readTicket(ticket({ ...claims, ...other })).subject).not.toBe(readTicket(first).subject);
  });

  it('that tells nothing is for itself alone', () => {
    expect(readTicket('opaque')).toEqual({ text: 'opaque', subject: 'opaque' });
    expect(readTicket('a.%%%.b').subject).toBe('a.%%%.b');
  });
});

describe('keeping a ticket', () => {
  it('asks once for however many ask at a time, again before it expires, and after a refusal', async () => {
    vi.useFakeTimers({ now: 0 });
    let made = 0;
    const source = async () =>
      ticket({ site: 's', from: '1', rights: [], expires: Date.now() + 300_000, nth: ++made });
    const tickets = keepTicket(source);
    const [one, two] = await Promise.all([tickets(), tickets()]);
    expect(one).toBe(two);
    vi.setSystemTime(260_000);
    expect(await tickets()).toBe(one);
    vi.setSystemTime(271_000);
    const renewed = await tickets();
    expect(renewed).not.toBe(one);
    expect(await tickets(true)).not.toBe(renewed);
    expect(made).toBe(3);
  });

  it('does not ask without end where the clock is wrong', async () => {
    let made = 0;
    const tickets = keepTicket(async () => ticket({ expires: 1, nth: ++made }));
    await tickets();
    await tickets();
    expect(made).toBe(1);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('no session'))],
    ['gives nothing', async () => undefined as never],
    ['gives what could not stand in a header', async () => 'a\r\nb'],
  ])('says so when the page %s, and asks again the next time', async (_what, source) => {
    const asked = vi.fn(source);
    const tickets = keepTicket(asked);
    await expect(tickets()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(tickets()).rejects.toMatchObject({ code: 'unavailable' });
    expect(asked).toHaveBeenCalledTimes(2);
  });
});
