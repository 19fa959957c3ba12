import { afterEach, describe, expect, it, vi } from 'vitest';
import { readTicket, ticketSupplier } from './ticket.ts';

const ticket = (claims: object) => `dmt_key.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.mac`;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('readTicket', () => {
  it('returns the same subject for every ticket of one agent at one site', () => {
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

  it('reads the right to hang up', () => {
    const withRights = (...rights: string[]) => readTicket(ticket({ rights })).mayHangUp;
    expect([withRights('watch', 'dial'), withRights('watch', 'hangup')]).toEqual([false, true]);
  });

  it('returns the text as the subject of a ticket without readable claims', () => {
    expect(readTicket('opaque')).toEqual({ text: 'opaque', subject: 'opaque', mayHangUp: true });
    expect(readTicket('a.%%%.b').subject).toBe('a.%%%.b');
  });
});

describe('ticketSupplier', () => {
  it('requests one ticket for simultaneous callers, renews it before expiry or after a rejection', async () => {
    vi.useFakeTimers({ now: 0 });
    let count = 0;
    const source = async () =>
      ticket({ site: 's', from: '1', rights: [], expires: Date.now() + 300_000, nth: ++count });
    const getTicket = ticketSupplier(source);
    const [one, two] = await Promise.all([getTicket(), getTicket()]);
    expect(one).toBe(two);
    vi.setSystemTime(260_000);
    expect(await getTicket()).toBe(one);
    vi.setSystemTime(271_000);
    const renewed = await getTicket();
    expect(renewed).not.toBe(one);
    expect(await getTicket(true)).not.toBe(renewed);
    expect(count).toBe(3);
  });

  it('does not renew at every call where the clock is wrong', async () => {
    let count = 0;
    const getTicket = ticketSupplier(async () => ticket({ expires: 1, nth: ++count }));
    await getTicket();
    await getTicket();
    expect(count).toBe(1);
  });

  it('reports the code with which the site says why there is no ticket', async () => {
    vi.stubGlobal('document', { baseURI: 'https://crm.example/page' });
    vi.stubGlobal('origin', 'https://crm.example');
    vi.stubGlobal('fetch', async () => Response.json({ code: 'callerNotYours' }, { status: 502 }));
    const error = { code: 'unavailable', message: 'ticket-url: HTTP 502 callerNotYours' };
    await expect(ticketSupplier('/dialmark-ticket')()).rejects.toMatchObject(error);
    vi.stubGlobal('fetch', async () => new Response('<h1>Sign in</h1>', { status: 401 }));
    const signedOut = { code: 'signedOut', message: 'ticket-url: HTTP 401' };
    await expect(ticketSupplier('/dialmark-ticket')()).rejects.toMatchObject(signedOut);
    vi.stubGlobal('fetch', async () => Response.json({}, { status: 503 }));
    const down = { code: 'unavailable', message: 'ticket-url: HTTP 503' };
    await expect(ticketSupplier('/dialmark-ticket')()).rejects.toMatchObject(down);
  });

  it.each(['https://other.example/ticket', 'https://{{ host }}/ticket'])(
    'reports that %s is not set up',
    async (address) => {
      vi.stubGlobal('document', { baseURI: 'https://crm.example/page' });
      vi.stubGlobal('origin', 'https://crm.example');
      const error = { code: 'setUp', message: 'ticket-url: not of this site' };
      await expect(ticketSupplier(address)()).rejects.toMatchObject(error);
    },
  );

  it.each([
    ['throws', () => Promise.reject(new Error('no session'))],
    ['returns nothing', async () => undefined as never],
    ['returns what a header cannot hold', async () => 'a\r\nb'],
  ])('rejects when the page %s, then calls it again the next time', async (_what, source) => {
    const pageSource = vi.fn(source);
    const getTicket = ticketSupplier(pageSource);
    await expect(getTicket()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(getTicket()).rejects.toMatchObject({ code: 'unavailable' });
    expect(pageSource).toHaveBeenCalledTimes(2);
  });

  it('rejects when the page never returns, then calls it again the next time', async () => {
    vi.useFakeTimers();
    const pageSource = vi.fn(() => new Promise<string>(() => {}));
    const getTicket = ticketSupplier(pageSource);
    for (const times of [1, 2]) {
      const rejected = expect(getTicket()).rejects.toMatchObject({
        code: 'unavailable',
        message: 'getTicket: TypeError: not a ticket',
      });
      await vi.advanceTimersByTimeAsync(15_000);
      await rejected;
      expect(pageSource).toHaveBeenCalledTimes(times);
    }
  });
});
