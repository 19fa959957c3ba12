import { describe, expect, it } from 'vitest';
import type { SettingsError } from '../shared/server/environment.ts';
import { withPrefix } from '../testing/with-prefix.ts';
import { doubtfulSettings, readRelaySettings, unknownRelayVariables } from './settings.ts';

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readRelaySettings(environment);
    return [];
  } catch (error) {
    return (error as SettingsError).problems;
  }
};
const provider = {
  DIALMARK_PROVIDER_URL: 'https://api.example',
  DIALMARK_PROVIDER_TOKEN: 'secret-token',
};

describe('settings', () => {
  it('default to serving this machine alone', () => {
    expect(readRelaySettings({})).toMatchObject({
      host: '127.0.0.1',
      port: 8787,
      store: 'sqlite:data/relay.db',
    });
  });

  it('name every variable that is wrong, not only the first', () => {
    const problems = problemsOf({
      DIALMARK_LISTEN: 'nowhere',
      DIALMARK_STORE: 'mysql://x',
      DIALMARK_SECRET: 'short',
      DIALMARK_PROVIDER_MAP: 'nothing:a',
      DIALMARK_PROVIDER_URL: 'ftp://x',
      DIALMARK_MAX_CALLS_PER_MINUTE: 'many',
    });
    for (const name of ['LISTEN', 'STORE', 'SECRET', 'PROVIDER_MAP', 'PROVIDER_URL', 'MAX_CALLS_PER_MINUTE'])
      expect(problems.some((problem) => problem.startsWith(`DIALMARK_${name}: `))).toBe(true);
  });

  it('name what is wrong of CRMs or sources of names beside a wrong setting of the relay', () => {
    const sources = { DIALMARK_CRM_RT_KIND: 'rt', DIALMARK_DIRECTORY_BOOK_KIND: 'cardav' };
    expect(problemsOf({ DIALMARK_LISTEN: 'nowhere', ...sources })).toEqual([
      expect.stringMatching(/^DIALMARK_LISTEN: /),
      expect.stringMatching(/^DIALMARK_CRM_RT_URL: /),
      expect.stringMatching(/^DIALMARK_CRM_RT_TOKEN: /),
      expect.stringMatching(/^DIALMARK_DIRECTORY_BOOK_KIND: /),
      expect.stringMatching(/^DIALMARK_DIRECTORY_BOOK_URL: /),
      expect.stringMatching(/^DIALMARK_DIRECTORY_BOOK_COUNTRY: /),
    ]);
  });

  it.each([
    ['the country of sources', { DIALMARK_COUNTRY: 'Brasil' }],
    ['plain http', { DIALMARK_ALLOW_PLAINTEXT: 'oui' }],
    ['the CRM that names are from', { DIALMARK_CRM_RT_TOKEN: '' }],
  ])('name one problem where it alone decides about %s', (_what, wrong) => {
    const environment = {
      DIALMARK_COUNTRY: 'BR',
      DIALMARK_ALLOW_PLAINTEXT: '1',
      DIALMARK_CRM_RT_KIND: 'rt',
      DIALMARK_CRM_RT_URL: 'http://rt.example',
      DIALMARK_CRM_RT_TOKEN: 'hunter2',
      DIALMARK_DIRECTORY_RT_KIND: 'crm',
      DIALMARK_DIRECTORY_BOOK_KIND: 'carddav',
      DIALMARK_DIRECTORY_BOOK_URL: 'http://cloud.example/book/',
    };
    expect(problemsOf(environment)).toEqual([]);
    expect(problemsOf({ ...environment, ...wrong })).toEqual([
      expect.stringMatching(`^${Object.keys(wrong)[0]}: `),
    ]);
  });

  it('take empty values of CRMs or sources of names for absent', () => {
    const empty = { DIALMARK_CRM_RT_KIND: '', DIALMARK_CRM_RT_URL: ' ', DIALMARK_DIRECTORY_BOOK_TOKEN: '' };
    expect(readRelaySettings(empty)).toMatchObject({ crms: [], sources: [] });
  });

  it('refuse a blocked prefix of another country where no own country is set', () => {
    const blocked = { DIALMARK_DIAL_BLOCKED_PREFIXES: '0900,+882' };
    expect(problemsOf(blocked)).toEqual([
      'DIALMARK_DIAL_BLOCKED_PREFIXES: expected DIALMARK_COUNTRY to be set too: without it the digits of +882 are not known',
    ]);
    expect(problemsOf({ ...blocked, DIALMARK_COUNTRY: 'BR' })).toEqual([]);
    expect(problemsOf({ ...blocked, DIALMARK_DIAL_COUNTRIES: 'BR,PT' })).toEqual([]);
  });

  it('say what was expected, with what came', () => {
    expect(problemsOf({ DIALMARK_PROVIDER_METHOD: 'put', DIALMARK_LISTEN: '127.0.0.1:99999' })).toEqual([
      'DIALMARK_LISTEN: expected a port up to 65535, got "127.0.0.1:99999"',
      'DIALMARK_PROVIDER_METHOD: expected post or get, got "put"',
    ]);
    expect(problemsOf({ DIALMARK_STORE_MAX_MB: '2G', DIALMARK_PROVIDER_TOKEN_IN: 'cookie' })).toEqual([
      'DIALMARK_PROVIDER_TOKEN_IN: expected header or body or query, got "cookie"',
      'DIALMARK_STORE_MAX_MB: expected a whole number, got "2G"',
    ]);
    for (const name of ['PROVIDER_TOKEN', 'METRICS_TOKEN', 'SECRET', 'FORWARD_SECRET'])
      expect(problemsOf({ [`DIALMARK_${name}`]: 'a b\u0001hunter2' }).join()).not.toContain('hunter2');
    expect(problemsOf({ DIALMARK_STORE: 'mysql://relay:hunter2@db' })[0]).not.toContain('hunter2');
  });

  it.each([
    { DIALMARK_STORE: 'redis://:hunter2:6379/0' },
    { DIALMARK_STORE: 'redis://redis.example:99999/hunter2' },
    { DIALMARK_STORE: 'redis:/hunter2' },
    { DIALMARK_STORE: 'redis://redis.example/hunter2' },
    { DIALMARK_STORE: 'redis://redis.example?db=hunter2' },
    { DIALMARK_PROVIDER_URL: 'https:// hunter2/x' },
    { DIALMARK_PROVIDER_URL: 'https://api.example/?token=hunter2' },
    { DIALMARK_PUBLIC_URL: 'htps://relay.example/hunter2' },
    { DIALMARK_FORWARD_URL: 'htps://hooks.example/hunter2' },
  ])('name the variable of a wrong address without the address: %o', (environment) => {
    const [name] = Object.keys(environment);
    const set = { DIALMARK_SECRET: 's'.repeat(32), ...forward, ...provider, ...environment };
    expect(problemsOf(set)).toEqual([expect.stringMatching(`^${name}: .*expected`)]);
    expect(problemsOf(set).join()).not.toContain('hunter2');
  });

  it('name unknown variables beside what is wrong, since one may be what is missing', () => {
    const problems = problemsOf({
      DIALMARK_PROVIDER_URL: 'https://api.example',
      DIALMARK_PROVIDER_TOKN: 'secret-token',
    });
    expect(problems).toEqual([
      expect.stringContaining('DIALMARK_PROVIDER_TOKEN: expected the service token'),
      'DIALMARK_PROVIDER_TOKN: no such setting; it is ignored',
    ]);
  });

  it('say of an address that is missing that it is to be set', () => {
    const kinds = {
      DIALMARK_CRM_RT_KIND: 'rt',
      DIALMARK_DIRECTORY_BOOK_KIND: 'carddav',
      DIALMARK_COUNTRY: 'BR',
    };
    expect(problemsOf({ ...kinds, DIALMARK_CRM_RT_TOKEN: 't' })).toEqual([
      'DIALMARK_CRM_RT_URL: expected to be set',
      'DIALMARK_DIRECTORY_BOOK_URL: expected to be set',
    ]);
  });

  it('name unknown variables beside what is wrong of a CRM alone', () => {
    const problems = problemsOf({
      DIALMARK_CRM_RT_KIND: 'rt',
      DIALMARK_CRM_RT_URL: 'https://rt.example',
      DIALMARK_CMR_RT_TOKEN: 'secret-token',
    });
    expect(problems).toEqual([
      expect.stringMatching(/^DIALMARK_CRM_RT_TOKEN: /),
      'DIALMARK_CMR_RT_TOKEN: no such setting; it is ignored',
    ]);
  });

  it('repeat no secret in a problem', () => {
    const problems = problemsOf({
      DIALMARK_SECRET: 'hunter2-hunter2-hunter2-hunter2',
      ...provider,
      DIALMARK_PROVIDER_TOKEN: 'two words',
    }).join();
    expect(problems).toMatch('DIALMARK_PROVIDER_TOKEN');
    expect(problems).not.toMatch(/hunter2|two words/);
  });

  it.each(['http://api.example', 'http://8.8.8.8', 'http://10.evil.example', 'http://192.168.example'])(
    'refuse to send the token in clear over the Internet to %s',
    (url) => {
      const environment = { ...provider, DIALMARK_PROVIDER_URL: url };
      expect(problemsOf(environment)).toHaveLength(1);
      expect(problemsOf({ ...environment, DIALMARK_ALLOW_PLAINTEXT: '1' })).toEqual([]);
    },
  );

  it.each([
    'http://192.168.1.10:3000',
    'http://localhost:3000',
    'http://pbx.local:3000',
    'http://[::1]:3000',
    'http://pbx:3000',
  ])('allow plain http to %s on a private network', (url) => {
    expect(problemsOf({ ...provider, DIALMARK_PROVIDER_URL: url })).toEqual([]);
  });

  it('require the token of a provider', () => {
    expect(problemsOf({ DIALMARK_PROVIDER_URL: 'https://api.example' })[0]).toMatch(
      'DIALMARK_PROVIDER_TOKEN',
    );
    expect(
      problemsOf({ DIALMARK_PROVIDER_URL: 'https://api.example', DIALMARK_PROVIDER_TOKEN_FILE: '/none' }),
    ).toEqual(['DIALMARK_PROVIDER_TOKEN_FILE: /none cannot be read: there is no such file']);
  });

  it('list the secondary address after the primary', () => {
    const { provider: read } = readRelaySettings({
      ...provider,
      DIALMARK_PROVIDER_SECONDARY_URL: 'https://second.example',
    });
    expect(read!.addresses).toEqual(['https://api.example', 'https://second.example']);
  });

  it('require a secret for relays that share a Redis', () => {
    const store = { DIALMARK_STORE: 'rediss://redis.example:6379/1' };
    expect(problemsOf(store)).toEqual([expect.stringMatching(/^DIALMARK_SECRET: /)]);
    expect(problemsOf({ ...store, DIALMARK_SECRET: 's'.repeat(32) })).toEqual([]);
    expect(problemsOf({ DIALMARK_SECRET: 's'.repeat(31) })).toEqual([
      expect.stringMatching(/^DIALMARK_SECRET: .*32/),
    ]);
  });

  const forward = {
    DIALMARK_FORWARD_URL: 'https://own.example/hook',
    DIALMARK_FORWARD_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  };

  it('read the address, secrets, map of the forward', () => {
    const old = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
    expect(
      readRelaySettings({
        ...forward,
        DIALMARK_FORWARD_SECRET: `${forward.DIALMARK_FORWARD_SECRET}, ${old}`,
        DIALMARK_FORWARD_MAP: 'callid:id',
      }).forward,
    ).toEqual({
      url: forward.DIALMARK_FORWARD_URL,
      secrets: [Buffer.alloc(32, 7), Buffer.alloc(24, 1)],
      map: { callid: 'id' },
    });
    expect(readRelaySettings({}).forward).toBeUndefined();
  });

  it.each([
    [{ FORWARD_SECRET: '' }, 'FORWARD_SECRET'],
    [{ FORWARD_SECRET: 'whsec_hunter2' }, 'FORWARD_SECRET'],
    [{ FORWARD_SECRET: `${forward.DIALMARK_FORWARD_SECRET},x` }, 'FORWARD_SECRET'],
    [{ FORWARD_URL: '' }, 'FORWARD_SECRET'],
    [{ FORWARD_URL: 'ftp://own.example' }, 'FORWARD_URL'],
    [{ FORWARD_URL: 'https://user:hunter2@own.example' }, 'FORWARD_URL'],
    [{ FORWARD_URL: 'http://own.example/hook' }, 'FORWARD_URL'],
    [{ FORWARD_MAP: 'callid:' }, 'FORWARD_MAP'],
  ])('refuse to forward with %o', (more, wrong) => {
    const problems = problemsOf({
      ...forward,
      ...withPrefix('DIALMARK_', more),
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^DIALMARK_${wrong}: `));
    expect(problems[0]).not.toContain('hunter2');
  });

  it('allow plain http for forwards to a private network or by setting', () => {
    const url = 'http://own.example/hook';
    expect(problemsOf({ ...forward, DIALMARK_FORWARD_URL: url, DIALMARK_ALLOW_PLAINTEXT: '1' })).toEqual([]);
    expect(problemsOf({ ...forward, DIALMARK_FORWARD_URL: 'http://10.0.0.5/hook' })).toEqual([]);
  });

  it.each(['11XX', '1100-1199', '_11.', '_11XX,'])(
    'refuse extensions that match nothing: %s',
    (extensions) => {
      expect(problemsOf({ ...provider, DIALMARK_DIAL_EXTENSIONS: extensions })).toEqual([
        expect.stringMatching(/^DIALMARK_DIAL_EXTENSIONS: expected .*_11XX/),
      ]);
    },
  );

  it('allow plain http for a CRM in a private network or by setting', () => {
    const crmAt = (url: string) => ({
      DIALMARK_CRM_REDMINE_KIND: 'redmine',
      DIALMARK_CRM_REDMINE_URL: url,
      DIALMARK_CRM_REDMINE_TOKEN: 'hunter2',
    });
    expect(problemsOf(crmAt('http://redmine.example'))).toEqual([
      expect.stringMatching(/^DIALMARK_CRM_REDMINE_URL: plain http .*ALLOW_PLAINTEXT=1$/),
    ]);
    expect(problemsOf({ ...crmAt('http://redmine.example'), DIALMARK_ALLOW_PLAINTEXT: '1' })).toEqual([]);
    expect(problemsOf(crmAt('http://redmine.internal:3000'))).toEqual([]);
  });

  const doubtful = (environment: Record<string, string>) => doubtfulSettings(readRelaySettings(environment));

  it('name variables that are misspelt', () => {
    const environment = { DIALMARK_LISTN: 'x', DIALMARK_LISTEN: 'localhost:1', PATH: '' };
    expect(unknownRelayVariables(environment)).toEqual(['DIALMARK_LISTN: no such setting; it is ignored']);
    expect(unknownRelayVariables({ dialmark_store: 'x' })).toEqual([
      'dialmark_store: no such setting; it is ignored',
    ]);
  });

  it('name a missing provider, without which nothing is placed', () => {
    expect(doubtful(provider)).toEqual([]);
    expect(doubtful({})).toEqual([expect.stringMatching(/^DIALMARK_PROVIDER_URL: not set.*no calls/)]);
  });

  it.each([
    ['http://relay.example', /clear/],
    ['http://192.168.1.10:8787', /clear/],
    ['https://relay.example/dialmark', /path/],
  ])('name what is doubtful about the public address %s', (url, doubt) => {
    expect(doubtful({ ...provider, DIALMARK_PUBLIC_URL: url })).toEqual([
      expect.stringMatching(/^DIALMARK_PUBLIC_URL: /),
    ]);
    expect(doubtful({ ...provider, DIALMARK_PUBLIC_URL: url })[0]).toMatch(doubt);
  });

  it.each(['https://relay.example/?a=b', 'https://u:p@relay.example', 'https://relay.example/#x'])(
    'refuse the public address %s',
    (url) => {
      expect(problemsOf({ ...provider, DIALMARK_PUBLIC_URL: url })).toEqual([
        expect.stringMatching(/^DIALMARK_PUBLIC_URL: expected/),
      ]);
    },
  );

  it.each([
    ['https:/relay.example', 'that starts with http:// or https://'],
    ['https:relay.example', 'that starts with http:// or https://'],
    ['https:///relay.example', 'that starts with http:// or https://'],
    ['https://relay.example:99999', 'like https://host.example:8443; a blank or its port is wrong'],
    ['https://relay example', 'like https://host.example:8443; a blank or its port is wrong'],
  ])('refuse the address %s', (url, problem) => {
    expect(problemsOf({ ...provider, DIALMARK_PUBLIC_URL: url })).toEqual([
      `DIALMARK_PUBLIC_URL: expected an address ${problem}`,
    ]);
  });

  it.each(['http://127.0.0.1:8787', 'https://relay.example'])('take the public address %s', (url) => {
    expect(doubtful({ ...provider, DIALMARK_PUBLIC_URL: url })).toEqual([]);
  });

  it.each(['https://api.example/call', 'https://api.example/pbx/call/'])(
    'name the /call at the end of %s',
    (url) => {
      expect(doubtful({ ...provider, DIALMARK_PROVIDER_URL: url })).toEqual([
        expect.stringMatching(/^DIALMARK_PROVIDER_URL: .*\/call/),
      ]);
      expect(doubtful({ ...provider, DIALMARK_PROVIDER_SECONDARY_URL: url })).toEqual([
        expect.stringMatching(/^DIALMARK_PROVIDER_SECONDARY_URL: .*\/call/),
      ]);
    },
  );

  it('name the /call at the end of an address before a missing token', () => {
    expect(problemsOf({ DIALMARK_PROVIDER_URL: 'https://api.example/call' })).toEqual([
      expect.stringMatching(/^DIALMARK_PROVIDER_URL: .*\/call/),
      expect.stringMatching(/^DIALMARK_PROVIDER_TOKEN: expected the service token/),
    ]);
  });

  it.each([{ COUNTRY: 'UK' }, { COUNTRY: 'Brazil' }, { DIAL_COUNTRIES: 'BR,XX' }, { DIAL_COUNTRIES: 'BR,' }])(
    'refuse what is no country in %o',
    (more) => {
      const [[name, value]] = Object.entries(more) as [[string, string]];
      expect(problemsOf({ [`DIALMARK_${name}`]: value })).toEqual([
        expect.stringMatching(new RegExp(`^DIALMARK_${name}: .*"(UK|Brazil|XX|)"`)),
      ]);
    },
  );

  it('take country codes in any case', () => {
    const { country, dialCountries } = readRelaySettings({ DIALMARK_DIAL_COUNTRIES: 'br, pt' });
    expect([country, dialCountries]).toEqual(['BR', ['BR', 'PT']]);
  });
});
