/** At real servers of address books. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureDirectoryPackages } from '../../../testing/applications/application-packages.ts';
import { Cleanup } from '../../../testing/cleanup.ts';
import {
  type AddressBookServer,
  startRadicale,
  startXandikos,
} from '../../../testing/directory/address-book-server.ts';
import type { DirectoryIndex } from '../index/directory-index.ts';
import { openSqliteIndex } from '../index/sqlite-index.ts';
import { syncSource } from '../sync.ts';
import { carddavSource } from './carddav.ts';

const card = (uid: string, name: string, tel: string, more = '') =>
  `BEGIN:VCARD\r\nVERSION:3.0\r\nUID:${uid}\r\nN:${name};;;;\r\nFN:${name}\r\nTEL;TYPE=CELL:${tel}\r\n${more}END:VCARD\r\n`;

describe.each([
  ['Radicale', startRadicale],
  ['Xandikos', startXandikos],
])('an address book of %s', (_name, start) => {
  const cleanup = new Cleanup();
  const index: DirectoryIndex = openSqliteIndex(':memory:');
  let server: AddressBookServer;
  beforeAll(async () => {
    server = await start(await ensureDirectoryPackages(), cleanup);
    await server.put('1', card('1', 'Ana Prado', '(48) 99999-8888', 'ORG:Acme;Sales\r\nTITLE:Buyer\r\n'));
    await server.put('2', card('2', 'Rui Costa', '+55 48 3322-4455'));
  });
  afterAll(async () => {
    index.close();
    await cleanup.run();
  });

  const sync = () =>
    syncSource(
      {
        name: 'book',
        source: carddavSource(server),
        rules: { country: 'BR', extensions: [] },
        index,
        readForgotten: async () => ({ has: () => false, digest: '' }),
      },
      { signal: new AbortController().signal },
    );
  const names = async (number: string) => {
    const [found] = await index.find([number], ['book']);
    return found!.people.map(({ name }) => name);
  };

  it('is pulled, then only what was changed, added or removed', async () => {
    expect(await sync()).toMatchObject({ entries: 2 });
    const [found] = await index.find(['+5548999998888'], ['book']);
    expect(found!.people).toMatchObject([{ name: 'Ana Prado', organisation: 'Acme', role: 'Buyer' }]);
    await server.put('2', card('2', 'Rui Costa Silva', '+55 48 3322-4466'));
    await server.put('3', card('3', 'Eva Luz', '(48) 3322-4477'));
    await server.remove('1');
    expect(await sync()).toMatchObject({ changed: 2, removed: 1, entries: 2 });
    expect(await names('+554833224466')).toEqual(['Rui Costa Silva']);
    expect(await names('+554833224455')).toEqual([]);
    expect(await names('+5548999998888')).toEqual([]);
    expect(await sync()).toMatchObject({ changed: 0, removed: 0 });
  });

  it('is compared whole where the server does not know the token', async () => {
    await server.forgetTokens();
    const { token: _, ...state } = (await index.sources()).get('book')!;
    await index.saveSource('book', { ...state, token: 'http://radicale.org/ns/sync/0123456789abcdef' });
    await server.put('4', card('4', 'Ida Reis', '(48) 3322-4488'));
    await server.remove('3');
    const result = await sync();
    expect(result).toMatchObject({ changed: 1, removed: 1, entries: 2 });
    expect(result!.problem).toBeUndefined();
  });

  it('says how many cards it has', async () => {
    expect(await carddavSource(server).check(AbortSignal.timeout(30_000))).toBe('2 cards');
  });
});
