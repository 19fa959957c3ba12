import { writeFile } from 'node:fs/promises';
import ICAL from 'ical.js';
import { describe, expect, it, vi } from 'vitest';
import { collect } from '../../../testing/directory/collect.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import { readPerson } from '../person.ts';
import { readCards, vcardSource } from './vcard.ts';

const folder = await temporaryFolder();

const card = (version: string, ...lines: string[]) =>
  ['BEGIN:VCARD', `VERSION:${version}`, ...lines, 'END:VCARD', ''].join('\r\n');

async function read(...chunks: string[]) {
  const cards = await collect(readCards(chunks));
  return cards.map(({ uid, written }) => ({
    uid,
    ...readPerson(written, { country: 'BR', extensions: [] }).person,
  }));
}
const one = async (version: string, ...lines: string[]) => (await read(card(version, ...lines)))[0];

describe('readCards', () => {
  it('reads name, organisation, role, numbers of version 3.0', async () => {
    expect(
      await one(
        '3.0',
        'UID:a-1',
        'N:Prado;Ana;;;',
        'FN:Ana Prado',
        'ORG:Acme\\, Inc;Sales',
        'TITLE:Buyer',
        'EMAIL:ana@acme.example',
        'item1.TEL;TYPE=CELL,VOICE:(48) 99999-8888',
        'item1.X-ABLabel:mobile',
        'TEL;TYPE=WORK:+55 48 3322-4455',
      ),
    ).toEqual({
      uid: 'a-1',
      name: 'Ana Prado',
      organisation: 'Acme, Inc',
      role: 'Buyer',
      numbers: [
        { number: '+5548999998888', label: 'cell' },
        { number: '+554833224455', label: 'work' },
      ],
    });
  });

  it.each([
    ['TEL;TYPE=WORK,FAX:48 3322-4456', []],
    ['TEL;TYPE=HOME;TYPE=FAX:48 3322-4456', []],
    ['TEL;WORK;FAX:48 3322-4456', []],
    ['TEL;TYPE="voice,fax":48 3322-4456', ['+554833224456']],
    ['TEL;TYPE=CELL:48999998888.0', ['+5548999998888']],
  ])('leaves out a fax that takes no calls, never other numbers: %s', async (line, numbers) => {
    const person = await one('3.0', 'FN:Ana', 'TEL:48 3322-4455', line);
    expect(person?.numbers?.slice(1).map(({ number }) => number)).toEqual(numbers);
  });

  it.each(['\n', '\r', '\r\n'])('reads lines that end with %j, also between two chunks', async (end) => {
    const text = card('2.1', 'FN:Ana', 'ORG;QUOTED-PRINTABLE:Acme=', '=20Inc', 'TEL:4833224455');
    const chunks = text.replaceAll('\r\n', end).match(/[^\r]*\r?/g)!;
    const numbers = [{ number: '+554833224455' }];
    expect(await read(...chunks)).toMatchObject([{ name: 'Ana', organisation: 'Acme Inc', numbers }]);
  });

  it('reads telephone addresses of version 4.0 with their extensions', async () => {
    const person = await one('4.0', 'FN:Ana', 'TEL;VALUE=uri;TYPE="work,voice":tel:+1-418-656-9254;ext=102');
    expect(person?.numbers).toEqual([{ number: '+14186569254', label: 'work' }]);
  });

  it('reads parameters without names, quoted-printable or Latin-1 of version 2.1', async () => {
    const person = await one(
      '2.1',
      'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Concei=C3=A7=C3=A3o;Jo=C3=A3o;;;',
      'ORG;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:Constru=E7=F5es =',
      'Bras=EDlia',
      'NOTE;ENCODING=QUOTED-PRINTABLE:one=0D=0A=',
      'TEL:not a number of the card=',
      '',
      'TEL;CELL;PREF:48 99999-8888',
    );
    expect(person).toMatchObject({
      name: 'João Conceição',
      organisation: 'Construções Brasília',
      numbers: [{ number: '+5548999998888', label: 'cell' }],
    });
  });

  it.each([
    ['3.0', 'N:García,Lorca;Federico;;;', 'Federico García Lorca'],
    ['3.0', 'N:Souza;Ana,Maria;Luz;;', 'Ana Maria Luz Souza'],
    ['2.1', 'N:Padaria Luz, Filhos e Cia', 'Padaria Luz Filhos e Cia'],
  ])(
    'keeps the parts of a name with a comma in their order in version %s: %s',
    async (version, line, name) => {
      expect((await one(version, line, 'TEL:4833224455'))?.name).toBe(name);
    },
  );

  it('joins folded lines', async () => {
    const person = await one('3.0', 'FN:Ana Ma', ' ria Pra', '\tdo', 'TEL:+55 48 9999', ' 9-8888');
    expect(person).toMatchObject({ name: 'Ana Maria Prado', numbers: [{ number: '+5548999998888' }] });
  });

  it('reads the other lines of a card with malformed ones, or the other cards of a file', async () => {
    const people = await read(
      card('3.0', 'FN', 'FN;X="a:b', 'TEL;=:1', ':', ';;;', 'FN:Ana', 'TEL:4833224455'),
      'junk\r\nEND:VCARD\r\n',
      card('3.0', 'FN:Rui', 'AGENT:', 'BEGIN:VCARD', 'FN:Somebody else', 'END:VCARD', 'TEL:4833224456'),
    );
    expect(people.map(({ name }) => name)).toEqual(['Ana', 'Rui']);
  });

  it('drops a photo of 10 MB in folded lines or in one, cut anywhere', async () => {
    const base64 = 'QUJD'.repeat(2_500_000);
    const folded = base64.replace(/.{74}/g, '$&\r\n ');
    for (const photo of [base64, folded]) {
      const text = card('3.0', `PHOTO;ENCODING=b:${photo}`, 'FN:Ana', 'TEL:4833224455');
      const chunks = text.match(/[\s\S]{1,65521}/g)!;
      const before = process.memoryUsage().heapUsed;
      expect(await read(...chunks)).toMatchObject([{ name: 'Ana' }]);
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(60e6);
    }
  });

  it('keeps 40 numbers of a card with 100,000', async () => {
    const numbers = Array.from({ length: 100_000 }, (_, n) => `TEL:483322${1000 + (n % 9000)}`);
    const [person] = await read(card('3.0', 'FN:Switchboard', numbers.join('\r\n')));
    expect(person?.numbers).toHaveLength(40);
  });

  it('takes turns with other work in a card of 13 MB or with 100,000 names', async () => {
    const photo = `PHOTO;ENCODING=b:${'QUJD'.repeat(3_250_000).replace(/.{74}/g, '$&\r\n ')}`;
    const names = Array.from({ length: 100_000 }, (_, n) => `FN:Name ${n}`).join('\r\n');
    const manyLong = Array.from({ length: 100 }, () => card('3.0', `FN:${'a,'.repeat(8000)}`)).join('');
    for (const text of [
      card('3.0', photo, 'FN:Ana', 'TEL:4833224455'),
      card('3.0', 'FN:Ana', names, 'TEL:4833224455'),
      card('3.0', 'FN:Ana', 'TEL:4833224455') + manyLong,
    ]) {
      let turns = 0;
      let ticking = setImmediate(function tick() {
        turns++;
        ticking = setImmediate(tick);
      });
      expect((await read(text))[0]).toMatchObject({ name: 'Ana' });
      clearImmediate(ticking);
      expect(turns).toBeGreaterThan(3);
    }
  });

  it('reads two properties of a kind where a card has 100,000', async () => {
    const names = Array.from({ length: 100_000 }, (_, n) => `FN:Name ${n}`).join('\r\n');
    const parse = vi.spyOn(ICAL.Property, 'fromString');
    expect(await one('3.0', 'FN;X="a:b', 'FN:Ana', names, 'TEL:4833224455')).toMatchObject({
      name: 'Ana',
    });
    expect(parse).toHaveBeenCalledTimes(3);
    parse.mockRestore();
  });

  it('makes one short line of plain text of a hostile name', async () => {
    const person = await one(
      '4.0',
      `FN:\u202eAna\u2066 <img src=x onerror=alert(1)>\\n\u0007${'x'.repeat(10_000)}`,
      'TEL:4833224455',
    );
    expect(person?.name).toMatch(/^Ana <img src=x onerror=alert\(1\)> x+$/);
    expect([...person!.name!]).toHaveLength(120);
  });

  it('gives a card without a UID one of its content', async () => {
    const [first, second, other] = await read(
      card('3.0', 'FN:Ana', 'TEL:4833224455'),
      card('3.0', 'TEL:4833224455', 'FN:Ana'),
      card('3.0', 'FN:Rui', 'TEL:4833224455'),
    );
    expect(first!.uid).toBe(second!.uid);
    expect(other!.uid).not.toBe(first!.uid);
  });
});

describe('vcardSource', () => {
  it('refuses a text that is not a vCard, never an empty file', async () => {
    const context = { knownTags: async () => [], signal: new AbortController().signal };
    const pulled = async (text: string) => {
      await writeFile(folder.file('contacts.vcf'), text);
      return collect(vcardSource(folder.file('contacts.vcf')).pull(context));
    };
    await expect(pulled('<!doctype html>\n<title>Log in</title>\n')).rejects.toThrow(
      'expected vCards, each from BEGIN:VCARD to END:VCARD; the file begins with: <!doctype html>',
    );
    await expect(pulled('Ana 48999998888\n')).rejects.toThrow('the file begins with: Ana *********88');
    // A file that was cut within its only card.
    await expect(pulled('BEGIN:VCARD\r\nFN:Ana\r\n')).rejects.toThrow('to END:VCARD');
    expect(await pulled('\r\n')).toEqual([]);
  });

  it.each([
    ['in the last card', ''],
    ['before other cards', card('3.0', 'FN:Eva', 'TEL:4833224457')],
  ])('refuses a file that was cut off %s', async (_where, rest) => {
    const file = folder.file('cut.vcf');
    await writeFile(file, `${card('3.0', 'FN:Ana', 'TEL:4833224455')}BEGIN:VCARD\r\nFN:Rui\r\n${rest}`);
    const source = vcardSource(file);
    await expect(source.check(new AbortController().signal)).rejects.toThrow(
      'card 2 has no END:VCARD; the cards behind it cannot be read',
    );
  });
});
