import { expect, test } from 'vitest';
import { parseSite, parseSiteRule } from './parse-site.ts';

test.each([
  ['crm.example.com', 'crm.example.com'],
  [' CRM.Example.com ', 'crm.example.com'],
  ['https://crm.example.com/contacts?id=7', 'crm.example.com'],
  ['http://pbx:3000/x', 'pbx'],
  ['127.0.0.1:8080', '127.0.0.1'],
  ['café.example', 'xn--caf-dma.example'],
])('reads %s as the host %s', (typed, host) => {
  expect(parseSite(typed)?.hostname).toBe(host);
});

test.each(['', '  ', 'two words', 'ftp://files.example', 'https://', '*.example.com', 'javascript:alert(1)'])(
  'finds no host in "%s"',
  (typed) => {
    expect(parseSite(typed)).toBeUndefined();
  },
);

test('takes no host that is longer than a domain name can be', () => {
  const longest = `${'a.'.repeat(126)}b`;
  expect(parseSite(longest)?.hostname).toBe(longest);
  expect(parseSite(`a.${longest}`)).toBeUndefined();
});

test.each([
  ['*.helpdesk.example', '*.helpdesk.example'],
  [' *.Helpdesk.example/tickets ', '*.helpdesk.example'],
  ['crm.example.com', 'crm.example.com'],
  ['*.*.example', undefined],
  ['*', undefined],
  ['http://[::1]:3000/', undefined],
])('reads %s as the rule %s', (typed, rule) => {
  expect(parseSiteRule(typed)).toBe(rule);
});
