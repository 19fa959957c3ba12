import { appendFile, writeFile } from 'node:fs/promises';
import type { CountryCode } from 'libphonenumber-js/max';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { collect } from '../../../testing/directory/collect.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../testing/temporary-folder.ts';
import { readPerson } from '../person.ts';
import { csvSource, readRows } from './csv.ts';
import type { PulledEntry } from './source.ts';
import { readText } from './text-file.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const peopleOf = (entries: readonly PulledEntry[], country: CountryCode = 'BR') =>
  entries.map((entry) =>
    'written' in entry ? readPerson(entry.written, { country, extensions: [] }).person : undefined,
  );
const read = async (text: string, country?: CountryCode) =>
  peopleOf(await collect(readRows([text])), country);

describe('readRows', () => {
  it.each([
    ['commas', 'Name,Company,Job title,Phone\nAna Prado,"Acme, Inc",Buyer,(48) 99999-8888\n'],
    ['semicolons', '\uFEFFNome;Empresa;Cargo;Telefone\r\nAna Prado;Acme, Inc;Buyer;(48) 99999-8888\r\n'],
    ['tabs', 'Nombre\tOrganización\tPuesto\tTeléfono\nAna Prado\tAcme, Inc\tBuyer\t48 99999-8888\n'],
    ['bars', 'Nombre|Organización|Puesto|Teléfono\nAna Prado|Acme, Inc|Buyer|48 99999-8888\n'],
    [
      'what its first line names',
      'sep=;\r\nName;Company;Job title;Phone\r\nAna Prado;Acme, Inc;Buyer;48 99999-8888\r\n',
    ],
    [
      'a tab that its first line names',
      '\uFEFFsep=\t\nName\tCompany\tRole\tPhone\nAna Prado\tAcme, Inc\tBuyer\t48 99999-8888\n',
    ],
  ])('finds columns between %s', async (_what, text) => {
    expect(await read(text)).toMatchObject([
      {
        name: 'Ana Prado',
        organisation: 'Acme, Inc',
        role: 'Buyer',
        numbers: [{ number: '+5548999998888' }],
      },
    ]);
  });

  it.each([
    [
      'a head of Windows above rows of Unix',
      'Nome;Telefone\r\nPrado, Ana;4833221116\nCosta, Rui;4833221117\n',
    ],
    [
      'a head of Unix above rows of Windows',
      'Nome;Telefone\nPrado, Ana;4833221116\r\nCosta, Rui;4833221117\r\n',
    ],
    ['carriage returns alone', 'Nome;Telefone\rPrado, Ana, MD;4833221116\rCosta, Rui, MD;4833221117\r'],
    [
      'carriage returns below a named delimiter',
      'sep=;\rNome;Telefone\rPrado, Ana;4833221116\rCosta, Rui;4833221117\r',
    ],
  ])('ends rows at %s', async (_what, text) => {
    expect(await read(text)).toMatchObject([
      { name: expect.stringContaining('Prado, Ana'), numbers: [{ number: '+554833221116' }] },
      { name: expect.stringContaining('Costa, Rui'), numbers: [{ number: '+554833221117' }] },
    ]);
  });

  it('reads a column of numbers that are headed with their area code', async () => {
    const text = 'Empresa;ddd_telefone_1;DDD_TELEFONE_2\nAcme;1132221116;11 99999-1117\n';
    const numbers = [{ number: '+551132221116' }, { number: '+5511999991117' }];
    expect(await read(text)).toMatchObject([{ numbers }]);
  });

  it('reads headings with a number right behind the word', async () => {
    expect(await read('Name,DDD1,Phone1,Telefone2\nAna,11,3222-1116,48 99999-8888\n')).toEqual([
      {
        name: 'Ana',
        numbers: [
          { number: '+551132221116', label: 'Phone1' },
          { number: '+5548999998888', label: 'Telefone2' },
        ],
      },
    ]);
    await expect(read('Name,DDD1\nAna,11\n')).rejects.toThrow('expected a first row with headings');
  });

  it('reads numbers by the columns of country codes before them', async () => {
    const text =
      'Nome;DDI;DDD;Telefone\nAna;55;48;3222-1116\nRui;351;;912 345 678\nIvo;+1;(212);555-0123\n' +
      'Bia;;48;99999-8888\nEva;55.0;48.0;32221117.0\nLia;999;48;32221118\nTom;0054;11;+5548999998889\n';
    const people = await read(text);
    expect(people.map((person) => person?.numbers[0]?.number)).toEqual([
      '+554832221116',
      '+351912345678',
      '+12125550123',
      '+5548999998888',
      '+554832221117',
      undefined,
      '+5548999998889',
    ]);
    expect(await read('Name,Country code,Phone\nRui,351,912345678\n')).toMatchObject([
      { numbers: [{ number: '+351912345678' }] },
    ]);
  });

  it('puts the area code of a row before digits that are a number of another area alone', async () => {
    const people = await read('Name,Area code,Phone,Extension\nAna,30,2123456,1105\n', 'DE');
    expect(people).toMatchObject([{ numbers: [{ number: '+49302123456' }, { number: '1105' }] }]);
  });

  it('reads a number that a program wrote with decimals', async () => {
    expect(await read('Name,Phone\nAna,48999998888.0\n')).toMatchObject([
      { numbers: [{ number: '+5548999998888' }] },
    ]);
  });

  it('reads headings whose words are joined', async () => {
    const text = 'FirstName,LastName,AccountName,MobilePhone,WhatsApp,eMail\nAna,Prado,Acme,48 99999-8888,';
    expect(await read(`${text}48 3222-1116,x\n`)).toEqual([
      {
        name: 'Ana Prado',
        organisation: 'Acme',
        numbers: [
          { number: '+5548999998888', label: 'MobilePhone' },
          { number: '+554832221116', label: 'WhatsApp' },
        ],
      },
    ]);
  });

  it('reads exports of address books: name in parts, numbers labelled by their headings', async () => {
    const outlook =
      'First Name,Middle Name,Last Name,Company,Business Phone,Business Fax,Mobile Phone,E-mail Address';
    const google =
      'First Name,Last Name,Organization Name,Organization Title,Phone 1 - Label,Phone 1 - Value,E-mail 1 - Value';
    expect(
      await read(`${outlook}\nAna,,Prado,Acme,48 3322-4455,48 3322-4499,48 99999-8888,a@x.example`),
    ).toEqual([
      {
        name: 'Ana Prado',
        organisation: 'Acme',
        numbers: [
          { number: '+554833224455', label: 'Business Phone' },
          { number: '+5548999998888', label: 'Mobile Phone' },
        ],
      },
    ]);
    expect(await read(`${google}\nAna,Prado,Acme,Buyer,Mobile,48 99999-8888,a@x.example`)).toMatchObject([
      { name: 'Ana Prado', organisation: 'Acme', role: 'Buyer', numbers: [{ number: '+5548999998888' }] },
    ]);
  });

  it.each([
    ['beside "Job Title"', 'Title,First Name,Last Name,Job Title,Phone\nMs.,Ana,Prado,Buyer,48 3322-4455'],
    ['by itself', 'First Name,Last Name,Title,Phone\nAna,Prado,Buyer,48 3322-4455'],
  ])('reads the role where a column is headed "Title" %s', async (_where, text) => {
    expect((await read(text))[0]).toMatchObject({ name: 'Ana Prado', role: 'Buyer' });
  });

  it.each([
    ['Google', 'First Name,Last Name,Name Prefix,Name Suffix,Phone 1 - Value\nAna,Prado,Dr.,Jr.,4833224455'],
    ['Outlook', "First Name,Last Name,Business Phone,Assistant's Name\nAna,Prado,4833224455,Rui"],
    ['HubSpot', 'Record ID,First Name,Last Name,Phone Number,Contact owner\n7,Ana,Prado,4833224455,Rui'],
    ['Zoho', 'Contact Owner.id,Contact Owner,First Name,Last Name,Phone\nz7,Rui,Ana,Prado,4833224455'],
    ['an owner', 'Contact Owner,Contact Name,Phone\nRui,Ana Prado,4833224455'],
    ['Portuguese', 'Nome;Sobrenome;Telefone\nAna;Prado;4833224455'],
    ['both', 'Name,Surname,Phone\nAna Prado,Prado,4833224455'],
    ['Spanish', 'Nombre;Primer apellido;Teléfono\nAna;Prado;4833224455'],
    ['whole', 'Nome completo;Sobrenome;Telefone\nAna Prado;Prado;4833224455'],
    ['a date', 'Telefone;Último contato;Nome\n4833224455;12/10/2025;Ana Prado'],
  ])("reads a person's own name, whole or in parts, beside others: %s", async (_what, text) => {
    expect((await read(text)).map((person) => person?.name)).toEqual(['Ana Prado']);
  });

  it('reads the name of an account beside its id, its owner', async () => {
    const text = 'Account Name.id,Account Owner,Account Name,Last Name,Phone\nz7,Rui,Acme,Prado,4833224455';
    expect(await read(text)).toMatchObject([{ name: 'Prado', organisation: 'Acme' }]);
  });

  it.each([
    ['of a house', 'Nome;Endereço;Número;CEP;Ramal\nAna;Rua X;1204;88000-000;1105'],
    ['of a customer', 'Customer Number,Name,Phone\n1204,Ana,1105'],
    ['of an order', 'Order Number,Name,Mobile\n4833224455,Ana,1105'],
    ['of an identity', 'Nome;Telefone;Número do CPF\nAna;1105;48999998888'],
    ['of employees', 'Name,Phone,Number of employees\nAna,1105,1204'],
  ])('leaves out numbers %s beside a telephone', async (_what, text) => {
    expect(await read(text)).toMatchObject([{ numbers: [{ number: '1105' }] }]);
  });

  it.each([
    ['beside a mail address', 'Name,Number,E-mail Address\nAna,1105,a@x.example'],
    ['alone', 'Name,Number\nAna,1105'],
    ['beside an extension', 'Name,Number,Extension\nAna,1105,1105'],
    ['beside a mobile', 'Nome;Número;Celular\nAna;1105;'],
    ['with a telephone word', 'Name,Phone,Contact number\nAna,,1105'],
    ['of a caller', 'Caller number,Name\n1105,Ana'],
  ])('reads a column of numbers %s', async (_what, text) => {
    expect(await read(text)).toMatchObject([{ numbers: [{ number: '1105' }] }]);
  });

  it.each(['Fone', 'Telefones', 'Phones', 'Celulares', 'Tel. 2'])('finds numbers below %s', async (head) => {
    expect(await read(`Nome;${head}\nAna;1105\n`)).toMatchObject([{ numbers: [{ number: '1105' }] }]);
  });

  it('is refused where a quote has no end, which would take the rows behind it', async () => {
    const text = 'Name;Phone\nAna;1105\n"Rui;1106\nEva;1107\n';
    await expect(read(text)).rejects.toThrow('a quote in row 3 has no end');
  });

  it.each([
    ['has no end for many rows', `"Rui;1106\n${'Eva;1107\n'.repeat(20_000)}`],
    ['is too long', `Rui;1106;"${'x'.repeat(200_000)}"\nEva;1107\n`],
  ])('is refused where a row %s, which would lose the rows behind it', async (_what, rows) => {
    await expect(read(`Name;Phone;Note\nAna;1105\n${rows}`)).rejects.toThrow('row 3 has more than 100000');
  });

  it('is refused early where a line holds delimiters alone', async () => {
    let chunks = 0;
    function* text() {
      for (yield 'Name,Phone\n'; chunks < 100; chunks++) yield ','.repeat(65_536);
    }
    await expect(collect(readRows(text()))).rejects.toThrow('a line has more than 250000 characters');
    expect(chunks).toBeLessThan(10);
  });

  it('compares each of a thousand headings that may be of telephones only some times', async () => {
    const columns = 1_000;
    const compared = vi.spyOn(RegExp.prototype, 'test');
    const [ana] = await read(`Name\tPhone${'\tNumber'.repeat(columns)}\nAna\t1105\n`);
    const comparisons = compared.mock.calls.length;
    compared.mockRestore();
    expect(ana?.numbers).toEqual([{ number: '1105', label: 'Phone' }]);
    expect(comparisons).toBeLessThan(columns * 50);
  });

  it('reads internal extensions', async () => {
    expect(await read('Name,Extension\nRui Costa,1105\n')).toMatchObject([{ numbers: [{ number: '1105' }] }]);
  });

  it('refuses a workbook, which a spreadsheet has to save as CSV', async () => {
    await expect(read('PK\u0003\u0004\u0014\u0000[Content_Types].xml')).rejects.toThrow('save it as CSV');
  });

  it('names strange headings without codes of the terminal', async () => {
    await expect(read('\u001b[2K\u0000a,b\n')).rejects.toThrow(/it has: \[2K a, b$/);
  });

  it('names the headings where they say nothing of numbers', async () => {
    await expect(read('a,b\n1,2\n')).rejects.toThrow('it has: a, b');
    await expect(read('Name,E-mail\nAna,a@x.example\n')).rejects.toThrow('it has: Name, E-mail');
  });

  it.each([
    ['behind an empty line', '\r\nNome;Telefone\r\nAna;4833224455\r\n'],
    [
      'with commas within quotes',
      '"Name, complete";"Phone, office";"Street, city, state"\n"Ana";"4833224455";"Rua A, 5"\n',
    ],
  ])('finds the delimiter of a first row %s', async (_what, text) => {
    expect(await read(text)).toMatchObject([{ name: 'Ana', numbers: [{ number: '+554833224455' }] }]);
  });

  it('masks the numbers of a first row without headings', async () => {
    const text = 'Ana Prado,48 99999-8888,"+55 (48) 3222-1000",1105\nRui,4833224456,,\n';
    await expect(read(text)).rejects.toThrow('it has: Ana Prado, ***********88, ****************00, 1105');
  });

  it('goes on behind a row that has too few cells, or a quote in the middle', async () => {
    const text = 'Name,Company,Phone\nAna\nRui "Rui" Costa,Acme,4833224455\n"Eva",x,4833224456,more\n';
    expect((await read(text)).map((person) => person?.name)).toEqual([undefined, 'Rui "Rui" Costa', 'Eva']);
  });
});

describe('readText', () => {
  it.each([
    ['UTF-8 with a mark', Buffer.from('\uFEFFNome\nJoão')],
    ['UTF-8', Buffer.from('Nome\nJoão')],
    ['Latin-1', Buffer.from('Nome\nJoão', 'latin1')],
    ['UTF-16', Buffer.from('\uFEFFNome\nJoão', 'utf16le')],
  ])('reads %s', async (what, bytes) => {
    const file = folder.file(`${what}.csv`);
    await writeFile(file, bytes);
    expect((await collect(readText(file))).join('')).toBe('Nome\nJoão');
  });

  it('refuses a file that is written while it is read', async () => {
    const file = folder.file('growing.csv');
    const rows = 'Ana,4833224455\n'.repeat(10_000);
    await writeFile(file, `Nome,Telefone\n${rows}`);
    const text = readText(file);
    expect((await text.next()).done).toBe(false);
    await appendFile(file, rows);
    await expect(collect(text)).rejects.toThrow(`${file} changed while it was read`);
  });

  it('refuses a device, which may never end', async () => {
    await expect(collect(readText('/dev/null'))).rejects.toThrow(
      '/dev/null: expected a file, got a pipe or a device',
    );
  });

  it('says why a file cannot be read', async () => {
    const file = folder.file('missing.csv');
    await expect(csvSource(file).check(AbortSignal.timeout(5000))).rejects.toThrow('there is no such file');
  });
});
