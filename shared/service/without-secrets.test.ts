import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { withoutSecrets } from './without-secrets.ts';

const token = 's3rvice/t+ken=';
const address = 'https://relay.example/h/v1/AbC_d-1234567890';
const secrets = [token, address, 'AbC_d-1234567890'];

const escaped = (text: string): string =>
  [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const percent = (text: string): string =>
  [...text].map((each) => `%${each.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
const references = (text: string): string => [...text].map((each) => `&#${each.charCodeAt(0)};`).join('');
const encodings: Record<string, (text: string) => string> = {
  'as it is': (text) => text,
  'with escaped slashes': (text) => text.replaceAll('/', '\\/'),
  'with Unicode escapes': escaped,
  'with Unicode escapes in capitals': (text) =>
    escaped(text).replace(/\\U/g, '\\u').toUpperCase().replaceAll('U', 'u'),
  'percent-encoded as a component': encodeURIComponent,
  'percent-encoded in every character': percent,
  'percent-encoded in capitals': (text) => percent(text).toUpperCase(),
  'percent-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'with character references': references,
};

describe('withoutSecrets', () => {
  it.each(Object.keys(encodings))('removes a secret %s', (name) => {
    for (const secret of secrets) {
      const text = `before ${encodings[name]!(secret)} after`;
      expect(withoutSecrets(text, [secret])).toBe('before [removed] after');
    }
  });

  it.each(Object.keys(encodings))('removes a secret %s whatever its last character is', (name) => {
    for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_%&') {
      const secret = `AbC_d-12345${last}`;
      expect(withoutSecrets(`${encodings[name]!(secret)} after`, [secret])).toBe('[removed] after');
    }
  });

  it('reads every text of parsed JSON, names of members too', () => {
    const body = {
      audio_url: `https://files.example/r?next=${encodeURIComponent(address)}&k=1`,
      route: token,
      callflow: { [address]: { channel: `PJSIP/${token}`, exten: ['x', address] } },
      billsec: 12,
      ok: true,
      nothing: null,
    };
    expect(withoutSecrets(body, secrets)).toEqual({
      audio_url: 'https://files.example/r?next=[removed]&k=1',
      route: '[removed]',
      callflow: { '[removed]': { channel: 'PJSIP/[removed]', exten: ['x', '[removed]'] } },
      billsec: 12,
      ok: true,
      nothing: null,
    });
  });

  it.each(['\\', '%25', '&#0', '\\u0', '%'])('reads 300,000 repetitions of %j in linear time', (part) => {
    // In quadratic time this would take hours.
    expect(withoutSecrets(part.repeat(300_000), [...secrets, 'k3xy'])).toBe(part.repeat(300_000));
    expect(withoutSecrets(`${part.repeat(300_000)} ${token}`, secrets)).toMatch(/\[removed\]$/);
  });

  it('reads encoded text beside a token of 8,000 characters', () => {
    const long = 'k3xy/'.repeat(1600);
    expect(withoutSecrets(`a%20b ${long}`, [long])).toBe('a%20b [removed]');
  });

  it('builds no expression of a whole secret where encoded text lacks its start', () => {
    const secret = 'AbCd'.repeat(150);
    let built = 0;
    const construct = (target: typeof RegExp, args: [string, string?]) => {
      built++;
      return new target(...args);
    };
    vi.stubGlobal('RegExp', new Proxy(RegExp, { construct }));
    try {
      withoutSecrets({ audio_url: 'https://a.example/a%20b' }, [secret, token]);
      expect(built).toBe(1);
      // The expression of a whole secret takes a fifth of a second to build.
      withoutSecrets({ audio_url: `https://a.example/a%20b${secret}` }, [secret, token]);
      expect(built).toBe(3);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('removes a token of digits that comes as a number', () => {
    expect(withoutSecrets({ code: 12345678901 }, ['12345678901'])).toEqual({ code: '[removed]' });
  });

  it.each(Object.keys(encodings))('removes a short secret that stands alone %s', (name) => {
    const hidden = encodings[name]!('k/3x');
    const address = `https://a.example/?token=${hidden}&n=1`;
    expect(withoutSecrets({ token: hidden, message: `Bearer ${hidden}`, address }, ['k/3x'])).toEqual({
      token: '[removed]',
      message: 'Bearer [removed]',
      address: 'https://a.example/?token=[removed]&n=1',
    });
  });

  it('removes a short secret between encoded characters', () => {
    const [before, after] = ['?token%253D', '%2526n'];
    expect(withoutSecrets(`${before}k3xy${after}`, ['k3xy'])).toBe(`${before}[removed]${after}`);
    expect(withoutSecrets('\\u003dk3xy\\u0026', ['k3xy'])).toBe('\\u003d[removed]\\u0026');
  });

  it('leaves words with a short secret inside as they are', () => {
    const body = { message: 'the tokens were broken', route: 'token7', n: 12345 };
    expect(withoutSecrets(body, ['token', '1234'])).toEqual(body);
  });

  it('leaves secrets under four characters, or texts without a secret, as they are', () => {
    const body = { status: 'OK', audio_url: 'https://a.example/%20%2F', message: '100 % \\ & more' };
    expect(withoutSecrets(body, ['OK', undefined])).toBe(body);
    expect(withoutSecrets(body, secrets)).toEqual(body);
  });

  it('removes a secret whatever mixture of encodings hides it', () => {
    const forms = Object.values(encodings).slice(0, 6);
    fc.assert(
      fc.property(
        fc.constantFrom(...secrets),
        fc.array(fc.constantFrom(...forms), { minLength: 60, maxLength: 60 }),
        (secret, chosen) => {
          const hidden = [...secret].map((each, index) => chosen[index % chosen.length]!(each)).join('');
          expect(withoutSecrets(`<${hidden}>`, [secret])).toBe('<[removed]>');
        },
      ),
    );
  });
});
