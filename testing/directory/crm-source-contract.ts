/** The contract of CRMs as sources of names, tested at real CRMs. */
import { afterAll, expect, it } from 'vitest';
import { readSources, type SourceSettings } from '../../relay/directory/directory-settings.ts';
import { openSqliteIndex } from '../../relay/directory/index/sqlite-index.ts';
import type { Source } from '../../relay/directory/sources/source.ts';
import { syncSource } from '../../relay/directory/sync.ts';
import type { RealCrm } from '../crm/real-crm.ts';
import { withPrefix } from '../with-prefix.ts';

/** Small, so that each answer has several pages. */
const pageSize = 2;

/** Registers the tests. @param crmOf the CRM, once they run. */
export function crmSourceContract(
  crmOf: () => RealCrm,
  open: (settings: SourceSettings, pageSize: number, idsPerPage: number) => Source,
): void {
  const index = openSqliteIndex(':memory:');
  afterAll(() => index.close());

  /** @throws Error with the problem, where the CRM could not be read. */
  async function sync() {
    const { problem, ...result } = (await trySync())!;
    if (problem !== undefined) throw new Error(`the CRM could not be read: ${problem}`);
    return result;
  }
  function trySync(different: Record<string, string> = {}) {
    const { url, settings } = crmOf();
    const { USERS: _, ...own } = settings;
    const variables = { URL: url, COUNTRY: 'BR', ...own, ...different };
    const [source] = readSources(withPrefix('DIALMARK_DIRECTORY_CRM_', variables), {
      country: undefined,
      allowPlaintext: true,
      crms: [],
    });
    return syncSource(
      {
        ...{
          name: 'crm',
          source: open(source!, pageSize, pageSize),
          rules: { country: 'BR', extensions: [] },
          index,
        },
        readForgotten: async () => ({ has: () => false, digest: '' }),
      },
      { signal: AbortSignal.timeout(60_000), acceptsFewer: true },
    );
  }
  const names = async (number: string) =>
    (await index.find([number], ['crm']))[0]!.people.map(({ name }) => name);

  it('gives its people page by page, then those who changed', async () => {
    const people = crmOf().people!;
    const ana = await people.add({ name: 'Ana Prado', organisation: 'Acme', phone: '+55 48 99999-8888' });
    const rui = await people.add({ name: 'Rui Costa', organisation: 'Acme', phone: '+55 48 3322-4455' });
    const first = await sync();
    expect(first).toMatchObject({ removed: 0 });
    const [found] = await index.find(['+5548999998888'], ['crm']);
    expect(found!.people).toMatchObject([
      { name: 'Ana Prado', ...(people.hasOrganisation ? { organisation: 'Acme' } : {}) },
    ]);
    expect((await index.known('crm', [people.uid(ana), people.uid(rui)])).every(Boolean)).toBe(true);
    expect(await sync()).toMatchObject({ changed: 0, removed: 0 });
    await people.setPhone(rui, '+55 48 3322-4466');
    await people.add({ name: 'Ida Reis', organisation: 'Acme', phone: '+55 48 3322-4477' });
    expect(await sync()).toMatchObject({ changed: 2, removed: 0, entries: first.entries + 1 });
    expect(await names('+554833224466')).toEqual(['Rui Costa']);
    expect(await names('+554833224455')).toEqual([]);
  });

  it('takes away whom the CRM has archived or deleted, at the next sync', async () => {
    const people = crmOf().people!;
    const eva = await people.add({ name: 'Eva Luz', organisation: 'Acme', phone: '+55 48 3322-4488' });
    await people.add({ name: 'Gil Reis', organisation: 'Acme', phone: '+55 48 3322-4400' });
    const leo = await people.add({ name: 'Leo Sá', organisation: 'Acme', phone: '+55 48 3322-4499' });
    await sync();
    expect(await names('+554833224488')).toEqual(['Eva Luz']);
    await people.archive(eva);
    await people.remove?.(leo);
    await sync();
    expect(await names('+554833224488')).toEqual([]);
    expect(await names('+554833224499')).toEqual(people.remove ? [] : ['Leo Sá']);
    expect(await names('+554833224400')).toEqual(['Gil Reis']);
  });

  it('keeps what is known where it refuses the relay', async () => {
    const people = crmOf().people!;
    await people.add({ name: 'Lia Melo', organisation: 'Acme', phone: '+55 48 3322-4411' });
    await sync();
    expect(await trySync({ TOKEN: 'wrong' })).toMatchObject({
      problem: 'it does not accept _USER or _TOKEN',
      removed: 0,
    });
    expect(await names('+554833224411')).toEqual(['Lia Melo']);
  });
}
