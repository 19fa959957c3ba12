import { expect, it } from 'vitest';
import { readCrmSystems } from './crm-settings.ts';
import { recordLink } from './record-link.ts';

const template = {
  system: 'crm',
  origin: 'http://crm.internal:8080',
  pattern: '/redmine/issues/{id}',
  kind: 'issue',
};
const key = { system: 'crm', kind: 'issue', id: '4711' };
const crms = (more: Record<string, string>) =>
  readCrmSystems({
    DIALMARK_CRM_CRM_KIND: 'redmine',
    DIALMARK_CRM_CRM_URL: 'http://10.0.0.7:3000',
    DIALMARK_CRM_CRM_TOKEN: 'k',
    ...more,
  });

it.each([
  [
    'at the public address where it is set',
    { DIALMARK_CRM_CRM_PUBLIC_URL: 'https://crm.example/' },
    'https://crm.example',
  ],
  ["at its template's origin without one", {}, 'http://crm.internal:8080'],
])('links a record %s', (_what, more, origin) => {
  expect(recordLink(key, [template], { crms: crms(more) })).toEqual({
    ...key,
    url: `${origin}/redmine/issues/4711`,
  });
});

it('links no record that no template has', () => {
  expect(recordLink({ ...key, kind: 'lead' }, [template], { crms: crms({}) })).toBeUndefined();
});
