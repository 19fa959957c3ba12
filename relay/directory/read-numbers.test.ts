/** Measured: how many of 2,000 written forms are read as the number that they mean, beside a comparison of the last ten digits. */
import type { CountryCode } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { readNumbers, readWithDroppedZero, sameSubscriber } from './read-numbers.ts';

const read = (text: string, country: CountryCode = 'BR', more = {}) =>
  readNumbers(text, { country, extensions: [], ...more });

describe('readNumbers', () => {
  it.each([
    ['(48) 3322-4455 / 99999-8888', ['+554833224455', '+5548999998888']],
    ['(48)3322-4455, (48)3322-4466', ['+554833224455', '+554833224466']],
    ['(48) 3322-4455 ou (48) 3322-4456', ['+554833224455', '+554833224456']],
    ['4833224455;4833224466', ['+554833224455', '+554833224466']],
  ])('finds both numbers of the field %s', (text, numbers) => expect(read(text)).toEqual(numbers));

  it('adds the ninth digit of a Brazilian mobile number', () => {
    for (const text of ['(48) 9999-8888', '+55 48 9999-8888', '554899998888', '4899998888', '(48)99998888'])
      expect([text, read(text)]).toEqual([text, ['+5548999998888']]);
    expect(read('(48) 3322-4455')).toEqual(['+554833224455']);
    expect(read('4899998888', 'PT')).toEqual([]);
  });

  it('keeps one form of a mobile number of Argentina or Mexico', () => {
    for (const text of ['+54 9 11 1234-5678', '+54 11 1234-5678', '011 15-1234-5678'])
      expect([text, read(text, 'AR')]).toEqual([text, ['+541112345678']]);
    for (const text of ['+52 1 55 1234 5678', '+52 55 1234 5678', '55 1234 5678'])
      expect([text, read(text, 'MX')]).toEqual([text, ['+525512345678']]);
  });

  it('reads the address of a link without its extension', () => {
    expect(read('tel:+1-418-656-9254;ext=102')).toEqual(['+14186569254']);
    expect(read('tel:1105;phone-context=pbx.example')).toEqual(['1105']);
  });

  it('reads a few digits alone as an internal extension', () => {
    expect(read('1105')).toEqual(['1105']);
    expect(read('ramal 1105')).toEqual(['1105']);
    expect(read('89001', 'BR', { extensions: ['_89XXX'] })).toEqual(['89001']);
  });

  it.each(['*100', '*100#', '*8486', '100#'])('takes the service code %s for no extension', (text) =>
    expect(read(text)).toEqual([]),
  );

  it.each([
    ['DE', '1701234567', '+491701234567'],
    ['DE', '15123456789', '+4915123456789'],
    ['DE', '302123456', '+49302123456'],
    ['FR', '612345678.0', '+33612345678'],
    ['GB', '7911123456', '+447911123456'],
    ['DE', '2123456', undefined],
    ['DE', '33612345678', undefined],
    ['AT', '41791234567', undefined],
    ['US', '612345678', undefined],
    ['BR', '999998888', undefined],
  ] as const)('puts back the zero that a spreadsheet dropped in %s: %s', (country, text, number) => {
    expect(read(text, country)).toEqual([]);
    expect(readWithDroppedZero(text, { country, extensions: [] })).toEqual(number ? [number] : []);
  });

  it('completes a local number with the area code of the source, else leaves it out', () => {
    expect(read('3322-4455')).toEqual([]);
    expect(read('3322-4455', 'BR', { areaCode: '48' })).toEqual(['+554833224455']);
    expect(read('9999-8888')).toEqual([]);
    expect(read('9999-8888', 'BR', { areaCode: '48' })).toEqual(['+5548999998888']);
  });

  it.each(['', '190', 'n/a', 'call me', '11111111111111111', '12/03/2024', '000.000.000-00'])(
    'finds no number in "%s"',
    (text) => expect(read(text)).toEqual([]),
  );
});

type Form = (national: readonly string[]) => string;

/** How people of a country write a number: its groups, with its area code first where it has one. */
interface Habits {
  country: CountryCode;
  /** Groups of the national number -> written forms. */
  forms: readonly Form[];
  /** Makes the groups of the n-th number. */
  number: (n: number) => readonly string[];
  callingCode: string;
}

const four = (n: number, factor: number) => String(1000 + ((n * factor) % 9000));
const three = (n: number, factor: number) => String(200 + ((n * factor) % 700));
const international = (code: string): Form[] => [
  (g) => `+${code} ${g.join(' ')}`,
  (g) => `+${code}${g.join('')}`,
  (g) => `+${code}-${g.join('-')}`,
  (g) => `00${code}${g.join('')}`,
  (g) => `tel:+${code}-${g.join('-')}`,
  (g) => `+${code} (${g[0]}) ${g.slice(1).join('-')}`,
  (g) => `+${code}.${g.join('.')}`,
];

const brazilian: Form[] = [
  ([a, b, c]) => `(${a}) ${b}-${c}`,
  ([a, b, c]) => `${a} ${b}-${c}`,
  ([a, b, c]) => `0${a} ${b} ${c}`,
  ([a, b, c]) => `(0${a}) ${b}-${c}`,
  ([a, b, c]) => `(0xx${a}) ${b}-${c}`,
  ([a, b, c]) => `015 ${a} ${b}-${c}`,
  ([a, b, c]) => `${a}${b}${c}`,
  ([a, b, c]) => `${a}.${b}.${c}`,
  ([a, b, c]) => `55 ${a} ${b}-${c}`,
  ([a, b, c]) => `(${a}) ${b}-${c} ramal 12`,
  ([a, b, c]) => `(${a})${b}${c} (WhatsApp)`,
];
const areas = ['11', '21', '31', '41', '48', '51', '61', '71', '81', '92'];

const countries: readonly Habits[] = [
  {
    country: 'BR',
    callingCode: '55',
    number: (n) => [areas[n % 10]!, `9${9000 + (n % 900)}`, four(n, 7)],
    forms: [
      ...international('55'),
      ...brazilian,
      // Without the ninth digit.
      ([a, b, c]) => `(${a}) ${b!.slice(1)}-${c}`,
      ([a, b, c]) => `+55 ${a} ${b!.slice(1)}-${c}`,
    ],
  },
  {
    country: 'BR',
    callingCode: '55',
    number: (n) => [areas[n % 10]!, `3${three(n, 7)}`, four(n, 11)],
    forms: [...international('55').filter((_, at) => at !== 3), ...brazilian],
  },
  {
    country: 'PT',
    callingCode: '351',
    number: (n) => [`9${1 + (n % 3)}${n % 10}`, three(n, 7), three(n, 11)],
    forms: [
      ...international('351'),
      (g) => g.join(' '),
      (g) => g.join(''),
      (g) => g.join('.'),
      (g) => g.join('-'),
    ],
  },
  {
    country: 'DE',
    callingCode: '49',
    number: (n) => ['30', `${2 + (n % 7)}${three(n, 7)}`, four(n, 11)],
    forms: [
      ...international('49'),
      ([a, b, c]) => `0${a} ${b}${c}`,
      ([a, b, c]) => `0${a}/${b}${c}`,
      ([a, b, c]) => `(0${a}) ${b} ${c}`,
      ([a, b, c]) => `+49 (0) ${a} ${b}${c}`,
      ([a, b, c]) => `0${a}-${b}${c}`,
    ],
  },
  {
    country: 'GB',
    callingCode: '44',
    number: (n) => ['20', `7${three(n, 7)}`, four(n, 11)],
    forms: [
      ...international('44'),
      ([a, b, c]) => `0${a} ${b} ${c}`,
      ([a, b, c]) => `(0${a}) ${b} ${c}`,
      ([a, b, c]) => `+44 (0)${a} ${b} ${c}`,
      ([a, b, c]) => `0${a}${b}${c}`,
      ([a, b, c]) => `0${a} ${b} ${c} ext 5`,
    ],
  },
  {
    country: 'ES',
    callingCode: '34',
    number: (n) => [`6${10 + (n % 80)}`, three(n, 7), three(n, 11)],
    forms: [...international('34'), (g) => g.join(' '), (g) => g.join(''), (g) => g.join('-')],
  },
  {
    country: 'US',
    callingCode: '1',
    number: (n) => [['212', '415', '617', '312'][n % 4]!, three(n, 7), four(n, 11)],
    forms: [
      ...international('1').filter((_, at) => at !== 3),
      ([a, b, c]) => `(${a}) ${b}-${c}`,
      ([a, b, c]) => `${a}-${b}-${c}`,
      ([a, b, c]) => `1-${a}-${b}-${c}`,
      ([a, b, c]) => `${a}.${b}.${c}`,
      ([a, b, c]) => `(${a}) ${b}-${c} x12`,
      ([a, b, c]) => `011 1 ${a} ${b} ${c}`.slice(6),
    ],
  },
];

const total = 2000;

interface Written {
  country: CountryCode;
  text: string;
  number: string;
}

function writtenForms(): Written[] {
  return Array.from({ length: total }, (_, n) => {
    const { country, forms, number, callingCode } = countries[n % countries.length]!;
    const at = Math.floor(n / countries.length);
    const groups = number(at);
    return {
      country,
      text: forms[at % forms.length]!(groups),
      number: sameSubscriber(`+${callingCode}${groups.join('')}`),
    };
  });
}

const lastTen = (text: string) => text.replace(/\D/g, '').slice(-10);

describe('2,000 written forms of numbers', () => {
  it('are read as the number that they mean, at least 99.5 % of them, beside the last ten digits', () => {
    const forms = writtenForms();
    const unread: Written[] = [];
    const wrong: (Written & { read: string[] })[] = [];
    for (const form of forms) {
      const found = readNumbers(form.text, { country: form.country, extensions: [] });
      if (found.length === 0) unread.push(form);
      else if (found.length > 1 || found[0] !== form.number) wrong.push({ ...form, read: found });
    }
    const peers = forms.filter(({ text, number }) => lastTen(text) === lastTen(number)).length;
    const percent = (count: number) => `${((100 * count) / total).toFixed(1)} %`;
    console.log(
      `matched: ours ${percent(total - unread.length - wrong.length)}, wrong ${wrong.length}; ` +
        `the last ten digits ${percent(peers)}`,
    );
    expect(wrong).toEqual([]);
    expect(unread.length, JSON.stringify(unread.slice(0, 5))).toBeLessThanOrEqual(total * 0.005);
    expect(peers).toBeLessThan(total - unread.length);
  });
});
