import { expect, it } from 'vitest';
import type { SettingsError } from '../../shared/server/environment.ts';
import { withPrefix } from '../../testing/with-prefix.ts';
import { readCrmSystems } from './crm-settings.ts';

const redmine = { KIND: 'redmine', URL: 'https://bugs.example', TOKEN: 'x' };
const read = (variables: Record<string, string>) =>
  readCrmSystems(withPrefix('DIALMARK_CRM_CRM_', variables));
function problemsOf(variables: Record<string, string>): readonly string[] {
  try {
    read(variables);
    return [];
  } catch (error) {
    return (error as SettingsError).problems;
  }
}

it.each(['https://bugs.example/?db=1', 'https://bugs.example?', 'https://bugs.example/#top'])(
  'refuse %s, since the path of each request follows it',
  (URL) => {
    expect(problemsOf({ ...redmine, URL })).toEqual([
      expect.stringMatching(/^DIALMARK_CRM_CRM_URL: expected .* without a query or a fragment/),
    ]);
  },
);

it.each(['a\n# the key', '“a”', 'a b'])('refuses %j as a token that a header has to carry', (TOKEN) => {
  const problem = 'DIALMARK_CRM_CRM_TOKEN: expected visible ASCII characters without blanks';
  expect(problemsOf({ ...redmine, TOKEN })).toEqual([problem]);
  const rt = { KIND: 'rt', URL: 'https://rt.example', TOKEN };
  expect(problemsOf(rt)).toEqual([problem]);
  // A password is encoded.
  expect(problemsOf({ ...rt, USER: 'relay' })).toEqual([]);
});

it('takes the query of a webhook, whose address is the whole one', () => {
  const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
  const [webhook] = read({ KIND: 'webhook', URL: 'https://bugs.example/in?key=1', SECRET: secret });
  expect(webhook!.url).toBe('https://bugs.example/in?key=1');
});

it('refuses an extension that has two users', () => {
  expect(problemsOf({ ...redmine, USERS: '1105=rui,1106=ana, 1105 =marta' })).toEqual([
    'DIALMARK_CRM_CRM_USERS: expected each extension once, got 1105 twice',
  ]);
});
