import { expect, test } from 'vitest';
import {
  canBeTurnedOn,
  desiredRegistration,
  isNarrowed,
  isRegistered,
  missingPermission,
  siteState,
  withFrames,
  withSite,
} from './site-rules.ts';

const sites = (partial: Partial<Parameters<typeof siteState>[0]>) => ({
  everywhere: false,
  enabled: [],
  frames: [],
  blocked: [],
  excludedNumbers: [],
  ...partial,
});

test('registers only enabled sites that have the permission', () => {
  const wanted = sites({ enabled: ['crm.example', 'other.example'] });
  expect(desiredRegistration(wanted, ['*://crm.example/*'])).toEqual({
    matches: ['*://crm.example/*'],
    excludeMatches: [],
  });
  expect(desiredRegistration(wanted, [])).toBeUndefined();
});

test('a grant in other words counts: all sites, a whole domain, http apart from https', () => {
  const wanted = sites({ enabled: ['crm.example'] });
  for (const granted of [
    ['<all_urls>'],
    ['*://*/*'],
    ['*://*.crm.example/*'],
    ['http://crm.example/*', 'https://crm.example/*'],
    ['https://*/*', 'http://crm.example/*'],
  ])
    expect(desiredRegistration(wanted, granted)?.matches).toEqual(['*://crm.example/*']);
  expect(desiredRegistration(wanted, ['https://crm.example/*'])).toBeUndefined();
  expect(desiredRegistration(wanted, ['*://evil-crm.example/*'])).toBeUndefined();
});

test('all sites means every site but the blocked ones', () => {
  expect(desiredRegistration(sites({ everywhere: true, blocked: ['bank.example'] }), ['*://*/*'])).toEqual({
    matches: ['*://*/*'],
    excludeMatches: ['*://bank.example/*'],
  });
});

test('all sites wanted but not granted still marks the sites that are', () => {
  const wanted = sites({ everywhere: true, enabled: ['crm.example'] });
  expect(desiredRegistration(wanted, ['*://crm.example/*'])?.matches).toEqual(['*://crm.example/*']);
});

test.each([
  [undefined, undefined, true],
  [{ matches: ['a'], excludeMatches: [] }, undefined, false],
  [undefined, { matches: ['a'] }, false],
  [{ matches: ['a', 'b'], excludeMatches: [] }, { matches: ['b', 'a'] }, true],
  [{ matches: ['a'], excludeMatches: [] }, { matches: ['a', 'b'] }, false],
  [{ matches: ['a'], excludeMatches: ['x'] }, { matches: ['a'], excludeMatches: [] }, false],
] as const)('whether %j is what is registered as %j: %s', (desired, registered, isSame) => {
  expect(isRegistered(desired as never, registered as never)).toBe(isSame);
});

test.each([
  [{ matches: ['a'], excludeMatches: ['x'] }, { matches: ['a'], excludeMatches: ['x'] }, false],
  [{ matches: ['a'] }, { matches: ['b', 'a'], excludeMatches: [] }, false],
  [{ matches: ['a'], excludeMatches: ['x'] }, { matches: ['*://*/*'], excludeMatches: [] }, false],
  [{ matches: ['a', 'b'] }, { matches: ['a'], excludeMatches: [] }, true],
  [{ matches: ['*://*/*'] }, { matches: ['a'], excludeMatches: [] }, true],
  [{ matches: ['a'] }, { matches: ['a'], excludeMatches: ['x'] }, true],
  [{ matches: ['a'] }, undefined, true],
  [undefined, { matches: ['a'], excludeMatches: [] }, true],
  [undefined, undefined, true],
] as const)(
  'whether fewer pages than with %j have the script with %j: %s',
  (registered, desired, isFewer) => {
    expect(isNarrowed(registered as never, desired as never)).toBe(isFewer);
  },
);

test('a blocked site wins over an enabled domain, which covers what is below it alone', () => {
  const mixed = sites({ enabled: ['*.example', 'crm.test'], blocked: ['pay.example'] });
  expect(siteState(mixed, 'crm.example')).toBe('enabled');
  expect(siteState(mixed, 'pay.example')).toBe('blocked');
  expect(siteState(mixed, 'crm.test')).toBe('enabled');
  expect(siteState(mixed, 'a.crm.test')).toBe('default');
  expect(siteState(mixed, 'notexample')).toBe('default');
});

test('enabled sites whose permission was taken away are named', () => {
  expect(missingPermission(sites({ enabled: ['a.test', 'b.test'] }), ['*://b.test/*'])).toEqual(['a.test']);
});

const page = 'crm.example';

test('frames are turned on together, under their page, unless they are blocked or on already', () => {
  const before = sites({ enabled: [page, 'chat.example'], blocked: ['ads.example'] });
  const hosts = ['mail.example', 'chat.example', 'ads.example', 'tickets.example'];
  const after = withFrames(before, { page, hosts, isEnabled: true });
  expect(after.enabled).toEqual([page, 'chat.example', 'mail.example', 'tickets.example']);
  expect(after.frames).toEqual([
    { page, host: 'mail.example' },
    { page, host: 'tickets.example' },
  ]);
  expect(after.blocked).toEqual(before.blocked);
});

test('frames of a page that a whole domain turned on stand under that domain', () => {
  const on = withFrames(sites({ enabled: ['*.crm.example'] }), {
    page: 'eu.crm.example',
    hosts: ['mail.example'],
    isEnabled: true,
  });
  expect(on.frames).toEqual([{ page: '*.crm.example', host: 'mail.example' }]);
  expect(withSite(on, '*.crm.example', 'default')).toEqual(sites({}));
});

test('frames whose permission was refused are off again, unless they were on before', () => {
  const before = sites({ enabled: [page, 'chat.example'] });
  const hosts = ['mail.example', 'chat.example'];
  const on = withFrames(before, { page, hosts, isEnabled: true });
  expect(withFrames(on, { page, hosts, isEnabled: false })).toEqual(before);
});

test.each(['default', 'blocked'] as const)('a page that is set to %s takes its frames with it', (state) => {
  const before = sites({ enabled: [page, 'other.example'] });
  const on = withFrames(before, { page, hosts: ['mail.example'], isEnabled: true });
  const after = withSite(on, page, state);
  expect(after.enabled).toEqual(['other.example']);
  expect(after.frames).toEqual([]);
});

test('a frame that is removed leaves its page on; one added as a site stands by itself', () => {
  const on = withFrames(sites({ enabled: [page] }), { page, hosts: ['mail.example'], isEnabled: true });
  expect(withSite(on, 'mail.example', 'default')).toEqual(sites({ enabled: [page] }));
  const byItself = withSite(on, 'mail.example', 'enabled');
  expect(byItself.frames).toEqual([]);
  expect(withSite(byItself, page, 'default').enabled).toEqual(['mail.example']);
});

test('a host can be turned on unless it is blocked, or already on with permission', () => {
  const mixed = sites({ enabled: ['on.example', 'refused.example'], blocked: ['ads.example'] });
  const can = (host: string) => canBeTurnedOn(mixed, ['*://on.example/*', '*://relay.example/*'], host);
  expect(['on', 'refused', 'ads', 'relay', 'mail'].filter((name) => can(`${name}.example`))).toEqual([
    'refused',
    'relay',
    'mail',
  ]);
});
