import type { CountryCode } from 'libphonenumber-js/max';
import { describe, expect, test } from 'vitest';
import type { DialRule, NumberSettings } from '../number-settings.ts';
import { parseDialInput } from '../reading/dial-input.ts';
import { judge } from '../reading/judge.ts';
import { numbersOfDigits } from './allow-or-refuse.ts';
import { dialDigits } from './dial-plan.ts';

const settingsOf = (country: CountryCode, more: Partial<NumberSettings> = {}): NumberSettings => ({
  country,
  extensions: [],
  dialRules: [],
  ...more,
});

/** Country, country code, its international prefix; then each number: what is dialled at home, and ways people write it. */
const TABLE: readonly [CountryCode, string, string, Readonly<Record<string, readonly string[]>>][] = [
  [
    'BR',
    '55',
    '00',
    {
      '1134567890': [
        '(11) 3456-7890',
        '(0xx11) 3456-7890',
        '0xx11 3456-7890',
        '011 3456-7890',
        '0 21 11 3456-7890',
        '+55 11 3456-7890',
        '0055 11 3456 7890',
        '5511 3456-7890',
      ],
      '48999998888': [
        '(48) 99999-8888',
        '48 9 9999-8888',
        '048999998888',
        '0 15 48 99999-8888',
        '+55 (48) 99999-8888',
      ],
      '8005912117': ['0800 591 2117', '0800-591-2117'],
    },
  ],
  [
    'US',
    '1',
    '011',
    {
      '4155550132': [
        '(415) 555-0132',
        '415.555.0132',
        '1-415-555-0132',
        '+1 415 555 0132',
        '4155550132',
        '1 (415) 555-0132',
      ],
      '8005550199': ['1-800-555-0199', '+1 800 555 0199'],
    },
  ],
  [
    'CA',
    '1',
    '011',
    { '5145550199': ['514-555-0199', '+1 514 555-0199', '1 514 555 0199'], '4185550123': ['(418) 555-0123'] },
  ],
  [
    'MX',
    '52',
    '00',
    {
      '5512345678': ['55 1234 5678', '+52 55 1234 5678', '01 55 1234 5678', '045 55 1234 5678'],
      '3334612234': ['(33) 3461 2234', '01 (33) 3461 2234'],
    },
  ],
  [
    'AR',
    '54',
    '00',
    {
      '1143215678': ['011 4321-5678', '(011) 4321-5678', '+54 11 4321-5678'],
      '91143215678': ['011 15-4321-5678', '+54 9 11 4321-5678'],
      '3514234567': ['0351 423-4567', '+54 351 423 4567'],
    },
  ],
  [
    'CL',
    '56',
    '00',
    {
      '223456789': ['+56 2 2345 6789', '2 2345 6789'],
      '987654321': ['9 8765 4321', '+56 9 8765 4321', '0056 9 8765 4321'],
    },
  ],
  [
    'CO',
    '57',
    '00',
    {
      '3001234567': ['300 123 4567', '+57 300 123 4567'],
      '6012345678': ['(601) 234 5678', '+57 601 234 5678'],
    },
  ],
  [
    'PE',
    '51',
    '00',
    { '14111000': ['(01) 411-1000', '+51 1 411 1000'], '987654321': ['987 654 321', '+51 987 654 321'] },
  ],
  [
    'UY',
    '598',
    '00',
    { '29001234': ['2900 1234', '+598 2900 1234'], '94123456': ['094 123 456', '+598 94 123 456'] },
  ],
  [
    'PT',
    '351',
    '00',
    {
      '213456789': ['213 456 789', '+351 213 456 789', '00351 213456789'],
      '912345678': ['912 345 678', '+351 912345678', '(+351) 912 345 678'],
    },
  ],
  [
    'ES',
    '34',
    '00',
    {
      '912345678': ['912 345 678', '91 234 56 78', '+34 912 345 678', '0034 912345678'],
      '612345678': ['612 34 56 78', '(+34) 612345678'],
    },
  ],
  [
    'FR',
    '33',
    '00',
    {
      '123456789': [
        '01 23 45 67 89',
        '01.23.45.67.89',
        '+33 1 23 45 67 89',
        '+33 (0)1 23 45 67 89',
        '0033 1 23 45 67 89',
      ],
      '612345678': ['06 12 34 56 78', '+33612345678', '+33 (0) 6 12 34 56 78'],
    },
  ],
  [
    'BE',
    '32',
    '00',
    {
      '25551212': ['02 555 12 12', '+32 2 555 12 12', '+32 (0)2 555 12 12'],
      '470123456': ['0470 12 34 56', '0470/12.34.56', '+32 470 12 34 56'],
    },
  ],
  [
    'DE',
    '49',
    '00',
    {
      '3012345678': [
        '030 12345678',
        '030/12345678',
        '(030) 12345678',
        '+49 30 12345678',
        '+49 (0) 30 12345678',
        '+49(0)30 12345678',
        '0049 30 12345678',
      ],
      '17112345678': ['0171 12345678', '+49 171 12345678', '+49 (0)171/12345678'],
    },
  ],
  [
    'AT',
    '43',
    '00',
    {
      '15885820': ['01 5885820', '+43 1 5885820', '+43 (0)1 5885820'],
      '6641234567': ['0664 1234567', '+43 664 1234567', '+43 (0) 664 123 45 67'],
    },
  ],
  [
    'CH',
    '41',
    '00',
    {
      '446681800': ['044 668 18 00', '+41 44 668 18 00', '+41 (0)44 668 18 00'],
      '791234567': ['079 123 45 67', '+41 79 123 45 67'],
    },
  ],
  [
    'IT',
    '39',
    '00',
    {
      '0236618300': ['02 3661 8300', '+39 02 3661 8300', '0039 02 36618300'],
      '3471234567': ['347 123 4567', '+39 347 1234567'],
    },
  ],
  [
    'NL',
    '31',
    '00',
    {
      '205001234': ['020 500 1234', '+31 20 5001234', '+31 (0)20 5001234'],
      '612345678': ['06-12345678', '+31 6 12345678', '+31(0)6 12345678'],
    },
  ],
  [
    'GB',
    '44',
    '00',
    {
      '2079460958': ['020 7946 0958', '+44 20 7946 0958', '+44 (0)20 7946 0958', '(020) 7946 0958'],
      '7700900123': ['07700 900123', '+447700 900 123', '+44 (0)7700 900123'],
    },
  ],
  [
    'IE',
    '353',
    '00',
    {
      '16774444': ['01 677 4444', '+353 1 677 4444', '+353 (0)1 677 4444'],
      '851234567': ['085 123 4567', '+353 85 1234567'],
    },
  ],
  ['DK', '45', '00', { '32123456': ['32 12 34 56', '+45 32 12 34 56', '(+45) 32123456'] }],
  [
    'SE',
    '46',
    '00',
    {
      '850012345': ['08-500 123 45', '+46 8 500 123 45', '+46 (0)8 500 123 45'],
      '701234567': ['070-123 45 67', '+46 70 123 45 67'],
    },
  ],
  [
    'NO',
    '47',
    '00',
    { '22123456': ['22 12 34 56', '+47 22 12 34 56'], '41234567': ['412 34 567', '+47 412 34 567'] },
  ],
  [
    'PL',
    '48',
    '00',
    {
      '221234567': ['22 123 45 67', '+48 22 123 45 67', '022 123 45 67'],
      '512345678': ['512 345 678', '+48 512 345 678', '0-512 345 678'],
    },
  ],
  [
    'CZ',
    '420',
    '00',
    { '212345678': ['212 345 678', '+420 212 345 678'], '601123456': ['601 123 456', '+420601123456'] },
  ],
  [
    'AU',
    '61',
    '0011',
    {
      '293744000': ['(02) 9374 4000', '+61 2 9374 4000', '+61 (0)2 9374 4000'],
      '412345678': ['0412 345 678', '+61 412 345 678'],
    },
  ],
  [
    'NZ',
    '64',
    '00',
    { '93001234': ['09 300 1234', '+64 9 300 1234'], '211234567': ['021 123 4567', '+64 21 123 4567'] },
  ],
  [
    'IN',
    '91',
    '00',
    {
      '9876543210': ['98765 43210', '+91 98765 43210', '09876543210'],
      '2227782183': ['022 2778 2183', '+91 22 2778 2183'],
    },
  ],
  [
    'JP',
    '81',
    '010',
    {
      '312345678': ['03-1234-5678', '+81 3-1234-5678', '+81 (0)3-1234-5678'],
      '9012345678': ['090-1234-5678', '+81 90-1234-5678'],
    },
  ],
  [
    'CN',
    '86',
    '00',
    {
      '1059081185': ['010 5908 1185', '+86 10 59081185'],
      '18911111111': ['189 1111 1111', '+86 189-1111-1111'],
    },
  ],
  [
    'RU',
    '7',
    '810',
    {
      '4951234567': ['8 (495) 123-45-67', '+7 495 123-45-67'],
      '9161234567': ['8 916 123-45-67', '+7 (916) 123-45-67'],
    },
  ],
  [
    'ZA',
    '27',
    '00',
    {
      '111234567': ['011 123 4567', '+27 11 123 4567'],
      '821234567': ['082 123 4567', '+27 82 123 4567', '+27 (0)82 123 4567'],
    },
  ],
  [
    'IL',
    '972',
    '00',
    { '501234567': ['050-123-4567', '+972 50-123-4567'], '21234567': ['02-123-4567', '+972 2-123-4567'] },
  ],
];

const rows = TABLE.flatMap(([country, callingCode, international, numbers]) =>
  Object.entries(numbers).flatMap(([national, ways]) =>
    [...ways, `+${callingCode}${national}`].map((written) => ({
      country,
      callingCode,
      international,
      national,
      written,
    })),
  ),
);

test('the table has at least 200 numbers from 30 countries', () => {
  expect(rows.length).toBeGreaterThanOrEqual(200);
  expect(TABLE.length).toBeGreaterThanOrEqual(30);
});

describe('at home the national digits with area code are dialled', () => {
  test.each(rows)('$country: $written -> $national', ({ country, written, national }) => {
    const judged = judge({ text: written, contextWords: 'phone' }, settingsOf(country));
    expect('number' in judged && dialDigits(judged.number, settingsOf(country))).toEqual({ to: national });
  });
});

describe("abroad the agent's international prefix with the country code before the number", () => {
  const abroad = rows.filter(({ written }) => /^\(?\+/.test(written));
  test.each(abroad)(
    '$country: $written, from Brazil or Germany',
    ({ country, written, national, callingCode }) => {
      for (const agent of ['BR', 'DE'] as const) {
        if (agent === country) continue;
        const judged = judge({ text: written, contextWords: 'none' }, settingsOf(agent));
        expect('number' in judged && dialDigits(judged.number, settingsOf(agent)).to).toBe(
          `00${callingCode}${national}`,
        );
      }
    },
  );
  test.each(
    TABLE.filter(([, code]) => code !== '55').map(([country, , prefix]) => [country, prefix] as const),
  )('from %s by %s', (country, prefix) => {
    const judged = judge({ text: '+55 48 99999-8888', contextWords: 'none' }, settingsOf(country));
    expect('number' in judged && dialDigits(judged.number, settingsOf(country)).to).toBe(
      `${prefix}5548999998888`,
    );
  });
});

describe('the digits parse back to the number they were made from', () => {
  test.each(rows)('$country: $national', ({ country, callingCode, national }) => {
    expect(numbersOfDigits(national, settingsOf(country))[0].e164).toBe(`+${callingCode}${national}`);
    if (country === 'BR') return;
    expect(numbersOfDigits(`00${callingCode}${national}`, settingsOf('BR'))[0].e164).toBe(
      `+${callingCode}${national}`,
    );
  });
});

describe('typed or linked numbers', () => {
  const settings = settingsOf('BR', { extensions: ['_1XXX'], areaCode: '48' });
  test.each([
    ['tel:+554899998888;ext=12', '4899998888'],
    ['tel:+55-48-99999-8888;phone-context=+55', '48999998888'],
    ['callto:+1 415 555 0132', '0014155550132'],
    ['sip:1105@pbx.example', '1105'],
    ['1105', '1105'],
    ['3222-4567', '4832224567'],
    ['4004-3535', '40043535'],
  ])('%s -> %s', (input, to) => {
    const judged = parseDialInput(input, settings);
    expect('number' in judged && dialDigits(judged.number, settings).to).toBe(to);
  });
  test('an extension is kept apart from the digits', () => {
    const judged = parseDialInput('(11) 3456-7890 ramal 123', settings);
    expect(judged).toMatchObject({ number: { extension: '123' } });
    expect('number' in judged && dialDigits(judged.number, settings).to).toBe('1134567890');
  });
});

describe('rules', () => {
  const dial = (written: string, dialRules: DialRule[], extensions: string[] = []) => {
    const settings = settingsOf('BR', { dialRules, extensions });
    const judged = parseDialInput(written, settings);
    return 'number' in judged ? dialDigits(judged.number, settings) : judged;
  };
  const toSaoPaulo: DialRule = {
    note: 'own city without area code',
    when: { countries: ['BR'], prefix: '11' },
    strip: 2,
  };
  const mobileRoute: DialRule = { when: { types: ['mobile'] }, prepend: '9' };
  const outside: DialRule = { when: { minLength: 8 }, prepend: '0' };

  test('the first that matches decides, its index is reported', () => {
    expect(dial('(11) 3456-7890', [toSaoPaulo, outside])).toEqual({ to: '34567890', rule: 0 });
    expect(dial('(21) 3456-7890', [toSaoPaulo, outside])).toEqual({ to: '02134567890', rule: 1 });
  });
  test('by type', () =>
    expect(dial('(48) 99999-8888', [mobileRoute])).toEqual({ to: '948999998888', rule: 0 }));
  test('by length, both limits included', () => {
    const rule: DialRule = { when: { minLength: 10, maxLength: 10 }, prepend: '0' };
    expect(dial('(11) 3456-7890', [rule])).toEqual({ to: '01134567890', rule: 0 });
    expect(dial('(11) 93456-7890', [rule])).toEqual({ to: '11934567890' });
  });
  test('by country, abroad', () => {
    const rule: DialRule = { when: { countries: ['US'] }, strip: 2, prepend: '0021' };
    expect(dial('+1 415 555 0132', [rule])).toEqual({ to: '002114155550132', rule: 0 });
    expect(dial('+1 514 555 0132', [rule])).toEqual({ to: '0015145550132' });
  });
  test('an internal extension is dialled as it is unless a rule matches', () => {
    expect(dial('1105', [outside], ['_1XXX'])).toEqual({ to: '1105' });
    expect(dial('1105', [{ when: { types: ['internal'] }, prepend: '8' }], ['_1XXX'])).toEqual({
      to: '81105',
      rule: 0,
    });
  });
});
