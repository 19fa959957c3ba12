import { expect, test } from 'vitest';
import { z } from 'zod/mini';
import { defaultGuardPolicy } from './dial/allow-or-refuse.ts';
import { GuardPolicy, NumberSettings } from './number-settings.ts';

const settings = {
  country: 'BR',
  areaCode: '48',
  extensions: ['_1XXX', '_[2-47]XX', '200'],
  dialRules: [{ note: 'mobile', when: { types: ['mobile'], prefix: '48' }, strip: 2, prepend: '0' }],
};

test('accepts settings, also the default policy', () => {
  const parsed: NumberSettings = NumberSettings.parse(settings);
  expect(parsed).toEqual(settings);
  const policy: GuardPolicy = GuardPolicy.parse(defaultGuardPolicy);
  expect(policy).toEqual(defaultGuardPolicy);
});

test.each([
  ['country', { country: 'Brazil' }, 'two capital letters'],
  ['area code', { areaCode: '048' }, 'without its trunk zero'],
  ['extension', { extensions: ['1XXX'] }, 'Asterisk pattern'],
  ['rule prefix', { dialRules: [{ when: { prefix: '+55' } }] }, 'digits only'],
  ['rule type', { dialRules: [{ when: { types: ['cell'] } }] }, 'fixedLine'],
])('rejects a bad %s with the expected form', (_what, change, message) => {
  const result = NumberSettings.safeParse({ ...settings, ...change });
  expect(result.success ? '' : z.prettifyError(result.error)).toContain(message);
});

test.each([
  ['verdict', { premium: 'ask' }, 'allow, confirm or refuse'],
  ['prefix', { blockedPrefixes: ['0900*'] }, 'with country code'],
  ['minute', { officeHours: { days: [1], fromMinute: 0, toMinute: 2000 } }, '1440'],
])('rejects a bad %s of the policy with the expected form', (_what, change, message) => {
  const result = GuardPolicy.safeParse({ ...defaultGuardPolicy, ...change });
  expect(result.success ? '' : z.prettifyError(result.error)).toContain(message);
});
