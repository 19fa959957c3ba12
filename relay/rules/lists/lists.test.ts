/** Large lists: what is read from them, what is refused, and what stays in force. */
import { appendFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { type NumberList, parseRules } from '../../../shared/protocol/rules.ts';
import { readCallee } from '../../../shared/rules/callee.ts';
import { serveHttp } from '../../../testing/servers/serve-http.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import { until } from '../../../testing/until.ts';
import { buildList, sourceOf } from './build-list.ts';
import { checkNumberFile, codeOfKey, distinctCodes, NumberFile, writeNumberFile } from './number-file.ts';
import { NumberLists } from './number-lists.ts';
import { ListReader } from './read-list.ts';

const folder = await temporaryFolder();
afterAll(() => folder.remove());

function read(text: string, format: ConstructorParameters<typeof ListReader>[0] = { country: 'BR' }) {
  const keys: string[] = [];
  const reader = new ListReader(format, (key) => keys.push(key));
  for (const line of text.split('\n')) reader.readLine(line);
  reader.end();
  return { keys, unread: reader.unread };
}

it.each(['utf8', 'latin1'] as const)('finds a column by its head in a file of %s', async (encoding) => {
  const from = folder.file(`${encoding}.csv`);
  await writeFile(from, 'Expediente;Número\n4832221111;4832221000\n', encoding);
  const list: NumberList = { name: encoding, from, country: 'BR', column: 'Número' };
  const path = folder.file(`${encoding}.numbers`);
  expect(await buildList({ list, path })).toEqual({ count: 1, unread: 0 });
  const file = new NumberFile(path);
  expect(file.has(codeOfKey('+554832221000')!)).toBe(true);
  file.close();
});

const quoted = '"Nome";"Código de área";"Telefone"\n"Ana";"011";"3222-1116"\n';
it.each(['DDD;Telefone\n11;3222-1116\n', quoted, Buffer.from(quoted).toString('latin1')])(
  'completes numbers by the column of area codes before them: %j',
  (text) => {
    expect(read(text, { country: 'BR', areaCode: '48' }).keys).toEqual(['+551132221116']);
    expect(read(text.replace('3222', '(31) 3222')).keys).toEqual(['+553132221116']);
  },
);

it('puts the area code of a row before digits that are a number of another area alone', () => {
  const rows = (areaCode: string, ...phones: string[]) =>
    ['Area code;Phone', ...phones.map((phone) => `${areaCode};${phone}`)].join('\n');
  const written = [
    '2123456',
    '212 3456',
    '2123456.0',
    '0212 3456',
    '1701234567',
    '8912345678',
    '49302123457',
  ];
  expect(read(rows('030', ...written), { country: 'DE' }).keys).toEqual([
    ...['+49302123456', '+49302123456', '+49302123456', '+492123456'],
    ...['+491701234567', '+498912345678', '+49302123457'],
  ]);
  expect(read(rows('030', '3011234'), { country: 'DE' }).keys).toEqual(['+49303011234']);
  expect(read(rows('7121', '301234'), { country: 'DE' }).keys).toEqual(['+497121301234']);
  expect(read(rows('1', '6671234', '800123456'), { country: 'AT' }).keys).toEqual([
    '+4316671234',
    '+43800123456',
  ]);
  expect(read(rows('0341', '4820612', '482061'), { country: 'IT' }).keys).toEqual([
    '+3903414820612',
    '+390341482061',
  ]);
  expect(read(rows('', '2123456'), { country: 'DE' }).keys).toEqual(['+492123456']);
  expect(read(rows('30', '212345-212399'), { country: 'DE' }).keys).toHaveLength(55);
  expect(read(rows('11', '4004-1234', '3222-1116'), { country: 'BR' }).keys).toEqual([
    '+5540041234',
    '+551132221116',
  ]);
});

it('completes numbers by the column of country codes before them', () => {
  const text =
    'DDI;DDD;Telefone\n55;11;3222-1116\n351;;912345678\n+34;;912345678\n999;11;32221117\n;48;32221118\n';
  expect(read(text, { country: 'BR' })).toEqual({
    keys: ['+551132221116', '+351912345678', '+34912345678', '+554832221118'],
    unread: 1,
  });
});

describe('a list is read', () => {
  it.each([
    ['plain digits', '48999998888', '+5548999998888'],
    ['a plus', '+5548999998888', '+5548999998888'],
    ['a trunk zero behind the country code', '+55048999998888', '+5548999998888'],
    ['a trunk zero of another country', '+4402079460018', '+442079460018'],
    ['a zero that is dialled behind the country code', '+390612345678', '+390612345678'],
    ['no plus before the country code', '5548999998888', '+5548999998888'],
    ['a trunk zero', '048999998888', '+5548999998888'],
    ['a mobile of eight digits', '4899998888', '+5548999998888'],
    ['a mobile of eight digits, with country code', '554899998888', '+5548999998888'],
    ['a fixed line', '4832221000', '+554832221000'],
    ['brackets and dashes', '(48) 99999-8888', '+5548999998888'],
    ['another country', '+1 415 555 2671', '+14155552671'],
    ['a BOM', '\uFEFF48999998888', '+5548999998888'],
    ['a BOM read as Latin-1', '\u00EF\u00BB\u00BF48999998888', '+5548999998888'],
    ['CRLF', '48999998888\r', '+5548999998888'],
    ['a number that a program wrote with decimals', '48999998888.0', '+5548999998888'],
    ['decimals behind a country code', '5548999998888.00', '+5548999998888'],
    ['blanks that do not break, beside such a dash', '+55\u00a048\u202f99999\u20118888', '+5548999998888'],
    ['marks of direction', '\u202a+5548999998888\u202c', '+5548999998888'],
    ['full-width digits', '４８９９９９９８８８８', '+5548999998888'],
    [
      'NUL between the digits',
      '4\u00008\u00009\u00009\u00009\u00009\u00009\u00008\u00008\u00008\u00008\u0000',
      '+5548999998888',
    ],
    ['a formula that holds the digits as text', '="48999998888"', '+5548999998888'],
    ['an apostrophe before the digits', "'48999998888", '+5548999998888'],
    ['a cell in quotes', '"48999998888"', '+5548999998888'],
    ['a row with semicolons', '48999998888;2026-01-01;"Ana; Prado"', '+5548999998888'],
    ['a number behind a date', '2026-01-01,48999998888', '+5548999998888'],
  ])('with %s', (_what, line, key) => expect(read(line)).toEqual({ keys: [key], unread: 0 }));

  it.each([
    '(48) 3222-1112 / (48) 3222-1113',
    '48 3222-1112/48 3222-1113',
    '48 3222 1112 ou 48 3222 1113',
    '"48 3222-1112, 48 3222-1113"',
    '4832221112|4832221113',
    '48 3222-1112 / 1113',
  ])('takes each number of the cell %s', (cell) => {
    const several = ['+554832221112', '+554832221113'];
    expect(read(`Ana;${cell};x`)).toEqual({ keys: several, unread: 0 });
  });

  it.each(['48 3222-1112 / Rui', '12/03/2024 ou 48'])('takes %s for none', (cell) =>
    expect(read(`Name;Phone\nAna;${cell}`)).toMatchObject({ keys: [], unread: 1 }),
  );

  it.each([
    ['an address of two lines', 'Name;Address;Phone\nAna;"Rua A, 5\r\nCentro";48999998888\r'],
    ['an address of two lines behind it', 'Phone;Address\n48999998888;"Rua A ""5""\nCentro"'],
    ['a stray quote in another cell', 'Name;Phone\n"Ana;48999998888'],
    ['the delimiter in its first line', 'sep=;\r\nName;Phone\r\nAna, Prado;48999998888\r'],
    ['a tab as delimiter in its first line', '\uFEFFsep=\t\nName\tPhone\nAna\t48999998888'],
    ['bars between its cells', 'Name|Phone\nAna, Prado|48999998888'],
    ['bars between its cells, without a head', 'Ana|48999998888'],
    ['bars between its cells, and quotes', 'Name|Phone|Id\n"Ana | Prado"|48999998888|48988887777'],
    ['commas, and semicolons within quotes', '"Name; first",Phone\n"Ana; Prado",48999998888'],
    ['carets between its cells, and quotes', 'sep=^\nName^Phone^Id\n"Ana ^ Prado"^48999998888^48988887777'],
  ])('takes the number of a table with %s', (_what, text) =>
    expect(read(text)).toEqual({ keys: ['+5548999998888'], unread: 0 }),
  );

  it('takes both numbers of a cell of two lines', () => {
    expect(read('Name;Phone\nAna;"48 3222-1112\n48 3222-1113"')).toEqual({
      keys: ['+554832221112', '+554832221113'],
      unread: 0,
    });
  });

  it('counts a cell of two lines without a number once', () => {
    expect(read('Phone;Note\n48999998888;x\n;"first\nsecond"').unread).toBe(1);
  });

  it('takes each number of a range', () => {
    expect(read('4832221098-4832221101').keys).toEqual(
      ['1098', '1099', '1100', '1101'].map((end) => `+55483222${end}`),
    );
  });

  it.each([
    ['a formula', '=HYPERLINK("http://evil.example","48999998888")'],
    ['a command', "=cmd|' /C calc'!A0"],
    ['words', 'nobody'],
    ['a range that is too long', '4800000000-4899999999'],
    ['a range backwards', '4832221101-4832221098'],
    ['too few digits', '12345'],
    ['too many digits', '12345678901234567890'],
    ['a date', '2026-11-23'],
  ])('without %s', (_what, line) =>
    expect(read(`48999990000\n${line}`)).toEqual({ keys: ['+5548999990000'], unread: 1 }),
  );

  it.each([
    ['with its country code', '+5548*', '+5548*'],
    ['with blanks', '+55 (48) 3222*', '+55483222*'],
    ['with a trunk zero in brackets', '+44 (0)20*', '+4420*'],
    ['with a zero in brackets that is dialled', '+39 (0)6*', '+3906*'],
    ['as it is dialled', '0900*', '=0900*'],
    ['in a cell', '"+5548*";2026-01-01;"Ana; Prado"', '+5548*'],
  ])('with a prefix %s', (_how, line, key) => expect(read(line)).toEqual({ keys: [key], unread: 0 }));

  it.each(['*', '+*', '**', '48*9', '=1+2*'])('without the prefix %s', (line) =>
    expect(read(`48999990000\n${line}`)).toEqual({ keys: ['+5548999990000'], unread: 1 }),
  );

  it('by the head of a column, its place, or the places of its parts', () => {
    const csv = 'id;Phone;other\n48988880000;48999998888;4832221000';
    expect(read(csv, { country: 'BR', column: 'phone' }).keys).toEqual(['+5548999998888']);
    expect(read(csv, { country: 'BR', column: 3 }).keys).toEqual(['+554832221000']);
    expect(read('415,5552671', { country: 'US', column: [1, 2] }).keys).toEqual(['+14155552671']);
    expect(() => read(csv, { country: 'BR', column: 'mobile' })).toThrow('there is no column "mobile"');
  });

  it('by the one column that is headed like a phone', () => {
    for (const head of ['id,phone', 'id,Telefone', 'id,Mobile number', '# export\nid,Cell'])
      expect(read(`${head}\n1234567,4832221000\n7654321,`)).toEqual({ keys: ['+554832221000'], unread: 1 });
  });

  it('from no file with numbers in several columns, unless one is named', () => {
    for (const csv of [
      'id,contact\n1234567,4832221000',
      '4832221000,4832221001',
      'phone,mobile\n4832221000,4832221001',
    ])
      expect(() => read(csv)).toThrow(
        'several columns hold numbers: name one (--column, or "column" of the list)',
      );
    expect(read('id,contact\n1234567,4832221000', { country: 'BR', column: 'contact' }).keys).toHaveLength(1);
    expect(read('phone,mobile\n4832221000,\n,4832221001').keys).toHaveLength(2);
    expect(read('4832221000,+55 48 3222-1000').keys).toEqual(['+554832221000']);
  });

  it('keeps digits as they stand where no country is known', () => {
    expect(read('4832221000', {}).keys).toEqual(['=4832221000']);
  });

  it('refuses a workbook, which a spreadsheet has to save as CSV', () => {
    expect(() => read('PK\u0003\u0004\u0014\n48999998888')).toThrow('save it as CSV');
  });

  it('refuses a web page', () => {
    expect(() => read('\n<!doctype html>\n<title>Sign in</title>')).toThrow('web page');
  });
});

describe('the file of a list', () => {
  it('has exactly the numbers that were written', async () => {
    const codes = Float64Array.from(
      { length: 5000 },
      (_, index) => codeOfKey(`+5548${(index * 7919) % 40_000}`)!,
    );
    const path = folder.file('exact.numbers');
    const known = new Set(codes);
    await writeNumberFile(path, distinctCodes(codes), { source: '', builtAt: new Date() });
    expect(new NumberFile(path).count).toBe(known.size);
    const file = new NumberFile(path);
    for (let n = 0; n < 40_000; n++) {
      const code = codeOfKey(`+5548${n}`)!;
      if (file.has(code) !== known.has(code)) expect.fail(`+5548${n}`);
    }
    expect(file.has(0)).toBe(false);
    expect(file.has(Number.MAX_SAFE_INTEGER)).toBe(false);
    file.close();
  });

  it('keeps leading zeros, or numbers without a country, apart', () => {
    const codes = ['+5548', '=5548', '=05548', '=005548'].map((key) => codeOfKey(key));
    expect(new Set(codes).size).toBe(4);
    expect(codeOfKey('=123456789012345')).toBeUndefined();
  });

  it('is refused where it is not whole', async () => {
    const path = folder.file('cut.numbers');
    await writeFile(path, Buffer.alloc(600, ' '));
    expect(() => new NumberFile(path)).toThrow();
  });

  it('is refused by its checksum where a bit of it changed', async () => {
    const path = folder.file('changed.numbers');
    await writeNumberFile(path, Float64Array.of(2, 4, 6), { source: '', builtAt: new Date() });
    await expect(checkNumberFile(path)).resolves.toBeUndefined();
    await damage(path);
    await expect(checkNumberFile(path)).rejects.toThrow('wrong checksum');
  });

  it('is whole where two relays write it at once', async () => {
    const path = folder.file('shared.numbers');
    const write = () => writeNumberFile(path, Float64Array.of(2, 4, 6), { source: '', builtAt: new Date() });
    await Promise.all([write(), write()]);
    await expect(checkNumberFile(path)).resolves.toBeUndefined();
    const { count } = new NumberFile(path);
    expect(count).toBe(3);
  });

  it('replaces what a killed build has left, never what another build writes', async () => {
    const [file, left, written] = ['own.numbers', 'own.numbers.left.new', 'own.numbers.written.new'];
    const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const name of [left, written]) await writeFile(folder.file(name), '');
    await utimes(folder.file(left), twoHoursAgo, twoHoursAgo);
    await writeNumberFile(folder.file(file), Float64Array.of(2), { source: '', builtAt: new Date() });
    const own = (await readdir(dirname(folder.file(file)))).filter((name) => name.startsWith('own.'));
    expect(own.sort()).toEqual([file, written]);
  });
});

/** Changes one bit in the middle of the numbers. */
async function damage(path: string): Promise<void> {
  const bytes = await readFile(path);
  const middle = (bytes.length + 512) >> 1;
  bytes[middle] = bytes[middle]! ^ 1;
  await writeFile(path, bytes);
}

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `48${32_000_000 + index}\n`).join('');

describe('a build', () => {
  it.each([
    ['empty', ''],
    ['a page', '<html><body>Please sign in</body></html>'],
    ['a hundred times smaller', lines(10)],
    ['cut off', lines(400)],
    ['cut to 60 %', lines(600)],
    ['cut to 90 %', lines(900)],
    ['cut inside a line', lines(1000).slice(0, -4)],
    ['other data', `${lines(700)}${'Ana Prado;Acme\n'.repeat(700)}`],
    ['one endless line', '4'.repeat(100_000)],
  ])('of a list that is %s leaves the old file', async (_what, text) => {
    const [from, path] = [folder.file('list.csv'), folder.file('built.numbers')];
    const list = { name: 'national', from, country: 'BR' } as const;
    await rm(path, { force: true });
    await writeFile(from, lines(1000));
    expect(await buildList({ list, path })).toEqual({ count: 1000, unread: 0 });
    await writeFile(from, text);
    await expect(buildList({ list, path })).rejects.toThrow();
    expect(new NumberFile(path).count).toBe(1000);
  });

  it('counts each number once, however often the list repeats it', async () => {
    const [from, path] = [folder.file('repeated.csv'), folder.file('repeated.numbers')];
    const list = { name: 'national', from, country: 'BR' } as const;
    await writeFile(from, lines(1000).repeat(3));
    expect(await buildList({ list, path })).toEqual({ count: 1000, unread: 0 });
    await writeFile(from, lines(400).repeat(3));
    await expect(buildList({ list, path })).rejects.toThrow('has 400 numbers, and had 1000');
  });

  it('takes a shorter list where the rule lets it, or where the rule names another one', async () => {
    const [from, path] = [folder.file('shorter.csv'), folder.file('shorter.numbers')];
    const list = { name: 'national', from, country: 'BR' } as const;
    const buildOf = async (count: number, more: object = {}) => {
      await writeFile(from, lines(count));
      return (await buildList({ list: { ...list, ...more }, path })).count;
    };
    expect(await buildOf(1000)).toBe(1000);
    expect(await buildOf(960)).toBe(960);
    expect(await buildOf(400, { minShare: 0.3 })).toBe(400);
    expect(await buildOf(250, { column: 1 })).toBe(250);
  });

  it('leaves the old file where the list grows while it is read', async () => {
    const [from, path] = [folder.file('growing.csv'), folder.file('growing.numbers')];
    await writeFile(from, lines(1000));
    const building = buildList({ list: { name: 'national', from, country: 'BR' }, path });
    appendFileSync(from, lines(10));
    await expect(building).rejects.toThrow('changed while it was read');
  });

  it('takes a last line without an end once it was not written for a minute', async () => {
    const [from, path] = [folder.file('settled.csv'), folder.file('settled.numbers')];
    await writeFile(from, lines(1000).trimEnd());
    const list = { name: 'national', from, country: 'BR' } as const;
    await expect(buildList({ list, path })).rejects.toThrow('last line');
    const twoMinutesAgo = new Date(Date.now() - 120_000);
    await utimes(from, twoMinutesAgo, twoMinutesAgo);
    expect(await buildList({ list, path })).toEqual({ count: 1000, unread: 0 });
  });

  it('says what to do about an open last line where a clock was set back', async () => {
    const [from, path] = [folder.file('ahead.csv'), folder.file('ahead.numbers')];
    await writeFile(from, lines(1000).trimEnd());
    const tomorrow = new Date(Date.now() + 86_400_000);
    await utimes(from, tomorrow, tomorrow);
    const list = { name: 'national', from, country: 'BR' } as const;
    await expect(buildList({ list, path })).rejects.toThrow('from the future by this clock; touch the file');
  });

  it.each(['utf16le', 'utf16be'])('reads every line of a list in %s', async (encoding) => {
    const [from, path] = [folder.file(`${encoding}.csv`), folder.file(`${encoding}.numbers`)];
    const bytes = Buffer.from(`\uFEFF${lines(1000)}`, 'utf16le');
    await writeFile(from, encoding === 'utf16le' ? bytes : bytes.swap16());
    const list = { name: 'national', from, country: 'BR' } as const;
    expect(await buildList({ list, path })).toEqual({ count: 1000, unread: 0 });
  });

  it('replaces a file that is damaged', async () => {
    const [from, path] = [folder.file('whole.csv'), folder.file('damaged.numbers')];
    await writeFile(from, lines(1000));
    await writeFile(path, Buffer.alloc(600, ' '));
    const list = { name: 'national', from, country: 'BR' } as const;
    expect(await buildList({ list, path })).toEqual({ count: 1000, unread: 0 });
  });

  it('takes fewer numbers than the least for a broken list', async () => {
    const from = folder.file('small.csv');
    await writeFile(from, lines(99));
    const list = { name: 'national', from, minNumbers: 100 };
    await expect(buildList({ list, path: folder.file('small.numbers') })).rejects.toThrow('at least 100');
  });

  it('takes no answer that ends before its length', async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { 'content-length': '100000' });
      response.write(lines(100));
      response.socket!.end();
    });
    const job = { list: { name: 'cut', from: server.url }, path: folder.file('answer.numbers') };
    await expect(buildList(job)).rejects.toThrow();
    await server.close();
  });
});

describe('the lists of a relay', () => {
  const log = pino({ level: 'silent' });
  const brazil = { country: 'BR', extensions: [], outsidePrefixes: [] } as const;
  const has = (lists: NumberLists, to: string) => lists.find(readCallee(to, brazil)) !== undefined;
  const open = (lists: NumberList[]) => {
    const opened = new NumberLists(folder.file('lists'), log);
    opened.use(lists, 'BR');
    return opened;
  };
  const stateOf = (lists: NumberLists) => lists.states(Date.now())[0]!;

  it('are built by a child, found in every reading of the digits, swapped when they change', async () => {
    let text = lines(500);
    const server = await serveHttp((_request, response) => void response.end(text));
    const lists = open([{ name: 'served', from: server.url, refreshHours: 0.01, country: 'BR' }]);
    try {
      expect(has(lists, '4832000001')).toBe(false);
      await until(() => stateOf(lists).count === 500, 'the first build', 60_000);
      for (const to of ['4832000001', '0154832000001', '00554832000001'])
        expect([to, has(lists, to)]).toEqual([to, true]);
      expect(has(lists, '4832000500')).toBe(false);
      text = lines(600);
      lists.use([{ name: 'served', from: `${server.url}/new`, country: 'BR' }], 'BR');
      expect(has(lists, '4832000001')).toBe(true);
      await until(() => has(lists, '4832000500'), 'the second build', 60_000);
      text = '<html>Sign in</html>';
      lists.use([{ name: 'served', from: `${server.url}/broken`, country: 'BR' }], 'BR');
      await until(() => stateOf(lists).failure !== undefined, 'the refusal', 60_000);
      expect([has(lists, '4832000500'), stateOf(lists).failure]).toEqual([
        true,
        expect.stringContaining('web page'),
      ]);
    } finally {
      lists.stop();
      await server.close();
    }
  });

  it('hold prefixes, of which every number is found', async () => {
    const from = folder.file('prefixes.csv');
    await writeFile(from, '+5548*\n0900*\n11987654321\n');
    const lists = open([{ name: 'prefixes', from, country: 'BR' }]);
    await until(() => stateOf(lists).count === 3, 'the build', 60_000);
    const found = ['4832221000', '0154832221000', '5548999991234', '0900123456', '11987654321'];
    expect(found.filter((to) => !has(lists, to))).toEqual([]);
    expect(['1132221000', '11987654322', '554132221000'].filter((to) => has(lists, to))).toEqual([]);
    expect(lists.find(readCallee('4832221000', brazil))).toMatchObject({ prefix: '+5548', by: 'prefixes' });
    lists.stop();
  });

  it('forbid calls where they are too old, with the rule as the reason', async () => {
    const old = { name: 'old', from: '/nowhere', maxAgeDays: 2, refreshHours: 8000 };
    const path = folder.file('lists/old.numbers');
    const threeDaysAgo = Date.now() - 3 * 86_400_000;
    await writeNumberFile(path, Float64Array.of(2), {
      source: sourceOf({ ...old, country: 'BR' }),
      builtAt: new Date(threeDaysAgo),
    });
    const lists = open([old]);
    expect([stateOf(lists).isOld, lists.tooOld(Date.now())]).toEqual([true, undefined]);
    lists.use([{ ...old, refuseWhenOld: true }], 'BR');
    expect(lists.tooOld(Date.now())).toBe('old');
    expect(lists.tooOld(threeDaysAgo + 86_400_000)).toBeUndefined();
    lists.stop();
  });

  it('forbid calls where one must not be old, until it is first built', () => {
    const lists = open([{ name: 'never', from: '/nowhere', refuseWhenOld: true }]);
    expect([stateOf(lists).isOld, lists.tooOld(Date.now())]).toEqual([true, 'never']);
    lists.stop();
  });

  it('are refused where one must not be old, but no age is named', () => {
    const list = { name: 'national', from: '/list', refuseWhenOld: true };
    expect(() => parseRules({ lists: [list] })).toThrow(
      'lists.0.refuseWhenOld: expected maxAgeDays beside it',
    );
    expect(parseRules({ lists: [{ ...list, maxAgeDays: 31 }] }).lists).toHaveLength(1);
  });

  it('are built again where their file is damaged, though it is not due', async () => {
    await mkdir(folder.file('lists'), { recursive: true });
    const [from, path] = [folder.file('again.csv'), folder.file('lists/again.numbers')];
    const list = { name: 'again', from, refreshHours: 8000, country: 'BR' } as const;
    const codes = Float64Array.from({ length: 510 }, (_, index) => codeOfKey(`+5511${30_000_000 + index}`)!);
    await writeNumberFile(path, codes, { source: sourceOf(list), builtAt: new Date() });
    await writeFile(from, lines(500));
    await damage(path);
    const lists = open([list]);
    await until(() => has(lists, '4832000001'), 'the new file');
    expect([stateOf(lists).count, stateOf(lists).failure]).toEqual([500, undefined]);
    lists.stop();
  });

  it('are built again where their file is of a time that is still to come', async () => {
    const from = folder.file('early.csv');
    await writeFile(from, '48999990000\n');
    const list = { name: 'early', from, refreshHours: 24, country: 'BR' } as const;
    const codes = Float64Array.of(codeOfKey('+5548999990001')!);
    const builtAt = new Date(Date.now() + 365 * 86_400_000);
    await mkdir(folder.file('lists'), { recursive: true });
    await writeNumberFile(folder.file('lists/early.numbers'), codes, { source: sourceOf(list), builtAt });
    const lists = open([list]);
    await until(() => has(lists, '48999990000'), 'the list that was built again', 20_000);
    lists.stop();
  });
});
