import { describe, expect, it } from 'vitest';
import { buildCall, type CallRequest, CallRequest as CallRequestSchema, callUrl } from './request.ts';

const full: CallRequest = {
  from: '1105',
  to: '4833224455',
  timeout: 20,
  force_from: 'yes',
  returnurl: 'https://relay.example/h/v1/abc?x=1&y=2',
  callerid: '+551130001000',
  map: 'callid:external_id,billsec:talk',
  version: 'v2',
};
const token = 't0k=n&?';

describe('a call as POST', () => {
  it('is JSON with exactly the documented fields', () => {
    const http = buildCall('https://api.example', full, { token, tokenIn: 'header' }, 'post');
    expect(http.url).toBe('https://api.example/call');
    expect(http.method).toBe('POST');
    expect(http.headers).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
    });
    expect(JSON.parse(http.body!)).toEqual(full);
  });

  it('carries the token in the body or the query where asked, in one place only', () => {
    const inBody = buildCall('https://api.example', full, { token, tokenIn: 'body' }, 'post');
    expect(JSON.parse(inBody.body!)).toEqual({ token, ...full });
    expect(inBody.headers.authorization).toBeUndefined();
    expect(inBody.url).not.toContain('token');
    const inQuery = buildCall('https://api.example', full, { token, tokenIn: 'query' }, 'post');
    expect(new URL(inQuery.url).searchParams.get('token')).toBe(token);
    expect(JSON.parse(inQuery.body!)).toEqual(full);
    expect(inQuery.headers.authorization).toBeUndefined();
  });

  it('leaves out what was not set', () => {
    const http = buildCall(
      'https://api.example',
      { from: '1', to: '2' },
      { token, tokenIn: 'header' },
      'post',
    );
    expect(JSON.parse(http.body!)).toEqual({ from: '1', to: '2' });
  });
});

describe('a call as GET', () => {
  it('has the same fields as query parameters without a body', () => {
    const http = buildCall('http://pbx.local:3000/', full, { token, tokenIn: 'query' }, 'get');
    const query = Object.fromEntries(new URL(http.url).searchParams);
    expect(query).toEqual({ token, ...full, timeout: '20' });
    expect(http.body).toBeUndefined();
    expect(http.headers).toEqual({ accept: 'application/json' });
  });

  it('puts a token for the body into the query', () => {
    const http = buildCall('http://pbx.local:3000', full, { token, tokenIn: 'body' }, 'get');
    expect(new URL(http.url).searchParams.get('token')).toBe(token);
  });

  it('keeps the query free of a token sent as header', () => {
    const http = buildCall('http://pbx.local:3000', full, { token, tokenIn: 'header' }, 'get');
    expect(http.url).not.toContain(encodeURIComponent(token));
    expect(http.headers.authorization).toBe(`Bearer ${token}`);
  });
});

describe('a base address', () => {
  it.each([
    ['https://api.example', 'https://api.example/call'],
    ['https://api.example/', 'https://api.example/call'],
    ['https://api.example/v/x//', 'https://api.example/v/x/call'],
    ['http://10.0.0.5:3000', 'http://10.0.0.5:3000/call'],
  ])('%s is called at %s', (base, expected) => {
    expect(callUrl(base).href).toBe(expected);
  });

  it.each([
    '',
    'api.example',
    'ftp://api.example',
    'https://u:p@api.example',
    'https://api.example/?a=1',
    'https://api.example/#a',
  ])('is rejected with the expected form: "%s"', (base) => {
    expect(() => callUrl(base)).toThrow(/base address: expected/);
  });
});

describe('what goes out', () => {
  it.each([
    [{ from: '', to: '1' }, 'from'],
    [{ from: '11 05', to: '1' }, 'from'],
    [{ from: '1105', to: '+4833' }, 'to'],
    [{ from: '1105', to: '' }, 'to'],
    [{ from: '1105', to: '48 33' }, 'to'],
    [{ from: '1105', to: '48', timeout: 0 }, 'timeout'],
    [{ from: '1105', to: '48', timeout: 1.5 }, 'timeout'],
    [{ from: '1105', to: '48', force_from: true }, 'force_from'],
    [{ from: '1105', to: '48', returnurl: 'javascript:alert(1)' }, 'returnurl'],
    [{ from: '1105', to: '48', callerid: 'abc' }, 'callerid'],
    [{ from: '1105', to: '48', map: 'callid' }, 'map'],
    [{ from: '1105', to: '48', version: 'v3' }, 'version'],
  ])('is rejected where it differs from the interface: %j', (fields, field) => {
    const parsed = CallRequestSchema.safeParse(fields);
    expect(parsed.success).toBe(false);
    expect(parsed.error!.issues[0]!.path[0]).toBe(field);
  });

  it('is rejected with a field that the interface does not name', () => {
    expect(CallRequestSchema.safeParse({ from: '1', to: '2', priority: 'high' }).success).toBe(false);
  });
});
