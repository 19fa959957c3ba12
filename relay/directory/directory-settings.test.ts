import { describe, expect, it } from 'vitest';
import type { SettingsError } from '../../shared/server/environment.ts';
import { withPrefix } from '../../testing/with-prefix.ts';
import { readCrmSystems } from '../log/crm-settings.ts';
import { readSources } from './directory-settings.ts';

const crmVariables = {
  ...{ SHOP_KIND: 'odoo', SHOP_URL: 'https://odoo.example', SHOP_DATABASE: 'demo' },
  ...{ SHOP_USER: 'dialmark', SHOP_TOKEN: 'x' },
  ...{ BUGS_KIND: 'redmine', BUGS_URL: 'https://bugs.example', BUGS_TOKEN: 'x' },
};

const read = (variables: Record<string, string>, country: 'BR' | undefined) => {
  const crms = readCrmSystems(withPrefix('DIALMARK_CRM_', crmVariables));
  return readSources(withPrefix('DIALMARK_DIRECTORY_', variables), { country, allowPlaintext: false, crms });
};
function problemsOf(variables: Record<string, string>, country?: 'BR' | undefined): readonly string[] {
  try {
    read(variables, country);
    return [];
  } catch (error) {
    return (error as SettingsError).problems;
  }
}

describe('readSources', () => {
  it('reads several sources, by name, with the country of the relay or their own', () => {
    expect(
      read(
        {
          TEAM_KIND: 'csv',
          TEAM_URL: 'file:///srv/people.csv',
          BOOK_KIND: 'carddav',
          BOOK_URL: 'https://cloud.example/book/',
          BOOK_COUNTRY: 'pt',
          BOOK_USER: 'ana',
          BOOK_TOKEN: 'x',
          BOOK_TEAMS: 'sales, support',
        },
        'BR',
      ),
    ).toEqual([
      {
        name: 'book',
        kind: 'carddav',
        url: 'https://cloud.example/book/',
        country: 'PT',
        user: 'ana',
        token: 'x',
        teams: ['sales', 'support'],
      },
      { name: 'team', kind: 'csv', url: '/srv/people.csv', country: 'BR' },
    ]);
  });

  it('reads a CRM that logs calls with its settings there, unless it has own ones', () => {
    const of = { name: 'shop', kind: 'odoo', url: 'https://odoo.example', database: 'demo', country: 'BR' };
    expect(read({ SHOP_KIND: 'crm' }, 'BR')).toEqual([{ ...of, user: 'dialmark', token: 'x' }]);
    const reader = { SHOP_KIND: 'crm', SHOP_USER: 'reader', SHOP_TOKEN: 'y', SHOP_TEAMS: 'sales' };
    expect(read(reader, 'BR')).toEqual([{ ...of, user: 'reader', token: 'y', teams: ['sales'] }]);
  });

  it.each([
    [
      { OTHER_KIND: 'crm' },
      /^DIALMARK_DIRECTORY_OTHER_KIND: expected a CRM of kind .*DIALMARK_CRM_OTHER_KIND/,
    ],
    [{ BUGS_KIND: 'crm' }, /^DIALMARK_DIRECTORY_BUGS_KIND: expected a CRM of kind odoo, rt or tryton/],
    [{ A_KIND: 'csv' }, /^DIALMARK_DIRECTORY_A_URL: /],
    [{ A_KIND: 'xml', A_URL: 'x' }, /^DIALMARK_DIRECTORY_A_KIND: expected carddav or/],
    [{ A_KIND: 'carddav', A_URL: '/srv/book' }, /^DIALMARK_DIRECTORY_A_URL: expected http/],
    [
      { A_KIND: 'carddav', A_URL: 'http://cloud.example/book/' },
      /_URL: this would send the password in clear/,
    ],
    [{ A_KIND: 'ldap', A_URL: 'ldap://ldap.example/dc=x' }, /_URL: this would send the password in clear/],
    [
      { A_KIND: 'ldap', A_URL: 'ldaps://ldap.example/dc=x??sub?(cn=50%*)' },
      /^DIALMARK_DIRECTORY_A_URL: expected %25/,
    ],
    [
      { A_KIND: 'csv', A_URL: 'x', A_COUNTRY: 'XX' },
      /^DIALMARK_DIRECTORY_A_COUNTRY: expected a country code/,
    ],
    [{ A_KIND: 'csv', A_URL: 'file://people.csv' }, /^DIALMARK_DIRECTORY_A_URL: expected the path of a file/],
    [{ A_KIND: 'csv', A_URL: 'file:///50%.csv' }, /^DIALMARK_DIRECTORY_A_URL: expected the path of a file/],
    [{ A_KIND: 'csv', A_URL: 'x', A_TOKEN: 'x', A_TOKEN_FILE: '/dev/null' }, /^DIALMARK_DIRECTORY_A_TOKEN/],
    [
      { A_KIND: 'rt', A_URL: 'https://x', A_TOKEN: 'a\n# the key' },
      /^DIALMARK_DIRECTORY_A_TOKEN: expected visible/,
    ],
    [{ A_KIND: 'csv', A_URL: 'x', A_PASSWORD: 'x' }, /^DIALMARK_DIRECTORY_A_PASSWORD: expected/],
  ])('refuses %j', (variables, problem) => {
    expect(problemsOf(variables as Record<string, string>, 'BR').join('\n')).toMatch(problem);
  });

  it.each([{}, { BOOK_TOKEN: ' ' }, { BOOK_TOKEN_FILE: '/dev/null' }])(
    'refuses a user of LDAP without a password, here %j',
    (password) => {
      const book = { BOOK_KIND: 'ldap', BOOK_URL: 'ldaps://ldap.example/dc=x', BOOK_USER: 'cn=relay,dc=x' };
      expect(problemsOf({ ...book, ...password }, 'BR')).toEqual([
        expect.stringMatching(/^DIALMARK_DIRECTORY_BOOK_TOKEN: expected the password of .*_BOOK_USER/),
      ]);
      expect(problemsOf({ ...book, BOOK_TOKEN: 'x' }, 'BR')).toEqual([]);
    },
  );

  it('needs a country', () => {
    const [problem] = problemsOf({ A_KIND: 'csv', A_URL: 'x' }, undefined);
    expect(problem).toMatch(/^DIALMARK_DIRECTORY_A_COUNTRY: expected the country of numbers without one/);
  });

  it.each(['carddav', 'odoo'])('refuses a query in the address of a source of kind %s', (kind) => {
    const login = { BOOK_DATABASE: 'demo', BOOK_USER: 'ana', BOOK_TOKEN: 'x' };
    expect(problemsOf({ BOOK_KIND: kind, BOOK_URL: 'https://book.example/?x=1', ...login }, 'BR')).toEqual([
      expect.stringMatching(/^DIALMARK_DIRECTORY_BOOK_URL: expected .* without a query or a fragment/),
    ]);
  });
});
