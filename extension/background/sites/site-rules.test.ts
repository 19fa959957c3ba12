import { expect, test } from 'vitest';
import { desiredRegistration, missingPermission, registrationChange, siteState } from './site-rules.ts';

const sites = (partial: Partial<Parameters<typeof siteState>[0]>) => ({
  everywhere: false,
  enabled: [],
  blocked: [],
  ...partial,
});

test('only what is both enabled and granted is registered', () => {
  const wanted = sites({ enabled: ['crm.example', 'other.example'] });
  expect(desiredRegistration(wanted, ['*://crm.example/*'])).toEqual({
    matches: ['*://crm.example/*'],
    excludeMatches: [],
  });
  expect(desiredRegistration(wanted, [])).toBeUndefined();
});

test('a grant in other words counts: all sites, a whole domain, http and https apart', () => {
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
  [undefined, undefined, 'none'],
  [{ matches: ['a'], excludeMatches: [] }, undefined, 'register'],
  [undefined, { matches: ['a'] }, 'unregister'],
  [{ matches: ['a', 'b'], excludeMatches: [] }, { matches: ['b', 'a'] }, 'none'],
  [{ matches: ['a'], excludeMatches: [] }, { matches: ['a', 'b'] }, 'update'],
  [{ matches: ['a'], excludeMatches: ['x'] }, { matches: ['a'], excludeMatches: [] }, 'update'],
] as const)('wanting %j where %j is registered: %s', (desired, registered, change) => {
  expect(registrationChange(desired as never, registered as never)).toBe(change);
});

test('a blocked site wins over an enabled domain, and a domain covers what is below it alone', () => {
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
