/** At a real slapd. */
import { Attribute, Change } from 'ldapts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dayMs } from '../../../shared/durations.ts';
import { ensureDirectoryPackages } from '../../../testing/applications/application-packages.ts';
import { Cleanup } from '../../../testing/cleanup.ts';
import { type Slapd, startSlapd } from '../../../testing/directory/slapd.ts';
import { openSqliteIndex } from '../index/sqlite-index.ts';
import { syncSource } from '../sync.ts';
import { ldapSource } from './ldap.ts';

const cleanup = new Cleanup();
const index = openSqliteIndex(':memory:');
let slapd: Slapd;

beforeAll(async () => {
  slapd = await startSlapd(await ensureDirectoryPackages(), cleanup);
  await add('ana', 'Ana Prado', '(48) 99999-8888', {
    o: 'Acme',
    title: 'Buyer',
    jpegPhoto: 'x'.repeat(100_000),
  });
  await add('rui', 'Rui João Costa', '+55 48 3322-4455');
  await add('eva', 'Eva Luz', '1106');
});
afterAll(async () => {
  index.close();
  await cleanup.run();
});

const dn = (uid: string) => `uid=${uid},${slapd.base}`;
const add = (uid: string, cn: string, telephoneNumber: string, more: Record<string, string> = {}) =>
  slapd.client.add(dn(uid), { objectClass: 'inetOrgPerson', uid, cn, sn: cn, telephoneNumber, ...more });
const sourceOf = (more: Partial<Slapd> = {}) => ldapSource({ ...slapd, ...more });
const sync = (more: Partial<Slapd> = {}, isFull = false) =>
  syncSource(
    {
      name: 'ldap',
      source: sourceOf(more),
      rules: { country: 'BR', extensions: [] },
      index,
      readForgotten: async () => ({ has: () => false, digest: '' }),
    },
    { signal: new AbortController().signal, isFull },
  );
const people = async (number: string) => (await index.find([number], ['ldap']))[0]!.people;

describe('a directory of slapd', () => {
  it('is pulled, then only what changed', async () => {
    expect(await sync()).toMatchObject({ entries: 3, unread: 0 });
    expect(await people('+5548999998888')).toMatchObject([
      { name: 'Ana Prado', organisation: 'Acme', role: 'Buyer', numbers: [{ label: 'telephoneNumber' }] },
    ]);
    const modification = new Attribute({ type: 'telephoneNumber', values: ['+55 48 3322-4466'] });
    await slapd.client.modify(dn('rui'), new Change({ operation: 'replace', modification }));
    await add('ida', 'Ida Reis', '1107');
    expect(await sync()).toMatchObject({ changed: 2, removed: 0, entries: 4 });
    expect(await people('+554833224466')).toMatchObject([{ name: 'Rui João Costa' }]);
    expect(await people('+554833224455')).toEqual([]);
  });

  it('loses what is gone when everything is read', async () => {
    await slapd.client.del(dn('eva'));
    expect(await sync({}, true)).toMatchObject({ removed: 1, entries: 3 });
  });

  it('loses what is gone after a clock that was ahead is set back', async () => {
    const ahead = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + dayMs);
    await add('ivo', 'Ivo Melo', '1108');
    expect(await sync({}, true)).toMatchObject({ entries: 4 });
    ahead.mockRestore();
    await slapd.client.del(dn('ivo'));
    expect(await sync()).toMatchObject({ removed: 1, entries: 3 });
  });

  it('is read page by page, without the referrals in it', async () => {
    await slapd.client.add(`ou=elsewhere,${slapd.base}`, {
      objectClass: ['referral', 'extensibleObject'],
      ou: 'elsewhere',
      ref: 'ldap://192.0.2.1/ou=people,dc=other,dc=example',
    });
    for (let n = 0; n < 600; n++) await add(`p${n}`, `Person ${n}`, `2${String(n).padStart(3, '0')}`);
    expect(await sync({}, true)).toMatchObject({ entries: 603 });
    expect(await sourceOf().check(AbortSignal.timeout(30_000))).toBe('603 entries');
    const some = { url: `${slapd.url}??sub?(&(uid=p1*)(cn=Person%2012))` };
    expect(await sourceOf(some).check(AbortSignal.timeout(30_000))).toBe('1 entries');
  });

  it.each([
    ['user', 'admin', 'expected a name like cn=relay,dc=example,dc=com in _USER'],
    ['url', 'sales', 'expected a name like cn=relay,dc=example,dc=com in _USER, or as the base in _URL'],
    ['token', '', 'as a login without its password; see _TOKEN'],
  ])('says what to do about the %s %j', async (setting, value, problem) => {
    const wrong = setting === 'url' ? slapd.url.replace(/[^/]*$/, value) : value;
    await expect(sourceOf({ [setting]: wrong }).check(AbortSignal.timeout(30_000))).rejects.toThrow(problem);
  });

  it('keeps what is known where it gives only a part of it, or refuses the password', async () => {
    expect((await sync({ user: slapd.limitedUser }, true))!.problem).toContain('size limit');
    expect((await sync({ token: 'wrong' }))!.problem).toBe('it does not accept _USER or _TOKEN');
    expect((await sync({ url: slapd.url.replace(/people/, 'nobody') }, true))!.problem).toContain('_URL');
    expect(await index.countOf('ldap')).toBe(603);
  });
});
