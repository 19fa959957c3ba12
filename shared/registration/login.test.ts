import { describe, expect, it } from 'vitest';
import { type LoginOptions, login, loginUrl } from './login.ts';

const password = 'correct "horse" $battery';
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJpZCI6N30.c2lnbmF0dXJl';
const reply = {
  code: 200,
  status: 'Ok',
  details: {
    token: jwt,
    id: 7,
    email: 'admin@example.com',
    first_name: 'Ana',
    last_name: 'Souza',
    client_key: '$2a$10$client/key',
    api_key: 'api-key',
    settings: [
      { service: { id: 1, '   name': 'intercomunexao' }, key: 'k', value: 'v', id: 3 },
      { service: { id: '2', name: 'cti', '   name': 'other' }, key: 'k2', value: 7, id: 'x' },
      'not a setting',
    ],
  },
};

const answer = (body: unknown, init: ResponseInit = {}) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), init);

function attempt(
  respond: (request: Request) => Response | Promise<Response>,
  more: Partial<LoginOptions> = {},
) {
  return login({
    registerApiUrl: 'https://register.example.com',
    deviceUuid: '8f3e',
    email: 'admin@example.com',
    password,
    fetch: async (input, init) => respond(new Request(input as string, init as RequestInit)),
    ...more,
  });
}

describe('the registration login', () => {
  it('posts the three documented fields to the documented path; the result holds no token', async () => {
    let sent: unknown;
    const result = await attempt(async (request) => {
      sent = { url: request.url, method: request.method, body: await request.json() };
      return answer(reply);
    });
    expect(sent).toEqual({
      url: 'https://register.example.com/api/v1/auth/login',
      method: 'POST',
      body: { device_uuid: '8f3e', email: 'admin@example.com', password },
    });
    expect(result).toEqual({
      ok: true,
      details: {
        clientKey: '$2a$10$client/key',
        apiKey: 'api-key',
        account: { id: 7, email: 'admin@example.com', firstName: 'Ana', lastName: 'Souza' },
        settings: [
          { service: { id: 1, name: 'intercomunexao' }, key: 'k', value: 'v', id: 3 },
          { service: { id: 2, name: 'cti' }, key: 'k2' },
        ],
      },
    });
    expect(JSON.stringify(result)).not.toContain('eyJ');
  });

  it.each([
    ['https://r.example', 'https://r.example/api/v1/auth/login'],
    ['https://r.example/', 'https://r.example/api/v1/auth/login'],
    ['https://r.example/base/', 'https://r.example/base/api/v1/auth/login'],
    ['https://r.example/api/v1/auth/login', 'https://r.example/api/v1/auth/login'],
  ])('completes its address from %s', (base, expected) => {
    expect(loginUrl(base).href).toBe(expected);
  });

  it.each([
    ['wrongPassword', () => answer({ code: 401, message: 'no' }, { status: 401 })],
    ['wrongPassword', () => answer('', { status: 403 })],
    ['wrongPassword', () => answer({ code: 401, status: 'Error' })],
    ['refused', () => answer({ code: 422, status: 'Error', message: 'device unknown' })],
    ['refused', () => answer({ code: 404, message: 'device unknown' }, { status: 404 })],
    ['notJson', () => answer('<html>Forbidden', { status: 403 })],
    ['serviceDown', () => answer('<html>Bad gateway', { status: 502 })],
    ['wrongPath', () => answer('<html>Not found', { status: 404 })],
    ['wrongPath', () => answer({ status: 'ERROR', message: 'no such path' }, { status: 404 })],
    ['wrongPath', () => answer('', { status: 302, headers: { location: 'https://evil.example/' } })],
    ['notJson', () => answer('<!doctype html><title>Welcome</title>')],
    ['notJson', () => answer('OK')],
    ['unreadableReply', () => answer({ code: 200, status: 'Ok', details: { api_key: 'x' } })],
    ['unreadableReply', () => answer({ ...reply, details: { ...reply.details, client_key: 'a\u001b[2Jb' } })],
    ['unreachable', () => Promise.reject(new TypeError('fetch failed'))],
  ] as const)('reports %s', async (code, respond) => {
    expect(await attempt(respond)).toMatchObject({ ok: false, error: { code } });
  });

  it('ends with noAnswerInTime when the service does not answer', async () => {
    const result = await attempt(
      (request) =>
        new Promise((_, reject) =>
          request.signal.addEventListener('abort', () => reject(request.signal.reason)),
        ),
      { answerTimeout: 5 },
    );
    expect(result).toMatchObject({ error: { code: 'noAnswerInTime' } });
  });

  it('sends nothing to a bad address, nor a password in plain text unless allowed', async () => {
    let asked = 0;
    const count = () => {
      asked++;
      return answer(reply);
    };
    for (const [registerApiUrl, code] of [
      ['register.example', 'badAddress'],
      ['ftp://register.example', 'badAddress'],
      ['https://user:secret@register.example', 'badAddress'],
      ['http://register.example', 'insecure'],
    ] as const)
      expect(await attempt(count, { registerApiUrl })).toMatchObject({ error: { code } });
    expect(asked).toBe(0);
    expect(
      await attempt(count, { registerApiUrl: 'http://register.example', allowPlaintext: true }),
    ).toMatchObject({
      ok: true,
    });
    expect(await attempt(count, { registerApiUrl: 'http://127.0.0.1:9' })).toMatchObject({ ok: true });
  });

  it('never repeats the password or a token in an error, whatever the service echoes', async () => {
    const result = await attempt(() =>
      answer({ code: 401, message: `no user with password ${password} and ${jwt}\u0007` }, { status: 401 }),
    );
    expect(result).toMatchObject({ ok: false });
    expect(JSON.stringify(result)).not.toContain('horse');
    expect(JSON.stringify(result)).not.toContain('eyJ');
    expect(JSON.stringify(result)).not.toContain('\\u0007');
  });
});
