import type { CountryCode } from 'libphonenumber-js/max';
import { describe, expect, test } from 'vitest';
import type { PageHints } from '../number.ts';
import type { NumberSettings } from '../number-settings.ts';
import { parseNumberText } from '../text/number-text.ts';
import { scan } from '../text/scan.ts';
import { countryEvidence, localFormEvidence, placeEvidence, writingEvidence } from './country-evidence.ts';
import { formatAsTyped, parseDialInput } from './dial-input.ts';
import { judge } from './judge.ts';
import { countryNear } from './page-country.ts';
import { read } from './reading.ts';

const settings: NumberSettings = {
  country: 'BR',
  areaCode: '48',
  extensions: ['_1XXX', '200'],
  dialRules: [],
};

const numberOf = (
  text: string,
  contextWords: 'phone' | 'mobile' | 'none' = 'none',
  more: Partial<NumberSettings> = {},
  hints?: PageHints,
) => {
  const judged = judge({ text, contextWords }, { ...settings, ...more }, hints);
  return 'number' in judged ? judged.number : judged;
};

describe('a number of the own country', () => {
  test('is returned with all its parts as plain data', () => {
    const number = numberOf('(48) 99999-8888 ramal 12');
    expect(JSON.parse(JSON.stringify(number))).toEqual({
      e164: '+5548999998888',
      national: '48999998888',
      country: 'BR',
      callingCode: '55',
      type: 'mobile',
      extension: '12',
      display: '+55 48 99999-8888',
    });
  });
  test.each([
    ['(0xx11) 3456-7890', '+551134567890'],
    ['0**11 3456-7890', '+551134567890'],
    ['0XX11 3456-7890', '+551134567890'],
    ['+55 (0xx11) 98765-4321', '+5511987654321'],
    ['+55 0**21 3456-7890', '+552134567890'],
    ['0 21 11 3456-7890', '+551134567890'],
    ['5511987654321', '+5511987654321'],
    ['（１１）３４５６－７８９０', '+551134567890'],
  ])('%s is %s', (text, e164) => expect(numberOf(text)).toMatchObject({ e164 }));
  test.each(['521 55 1234 5678', '+52 1 55 1234 5678', '5215512345678', '00 52 1 55 1234 5678'])(
    "Mexico's old mobile %s is read without its 1",
    (text) => {
      expect(judge({ text, contextWords: 'none' }, { ...settings, country: 'MX' })).toMatchObject({
        number: { e164: '+525512345678' },
        certainty: 'certain',
      });
    },
  );
  test("Mexico's old mobile is read without its 1 from abroad", () => {
    expect(numberOf('+52 1 55 1234 5678')).toMatchObject({ e164: '+525512345678' });
  });
  test('an Indian number of both plans needs no trunk prefix', () => {
    expect(numberOf('7208463195', 'none', { country: 'IN' })).toMatchObject({ e164: '+917208463195' });
  });
  test('an American number in other groups needs a word for telephones', () => {
    expect(numberOf('646-398-27-46', 'phone', { country: 'US' })).toMatchObject({ e164: '+16463982746' });
    expect(numberOf('646-398-27-46', 'none', { country: 'US' })).toEqual({ why: 'looksLikeOtherThing' });
  });
  test("Argentina's 15 is read as a mobile number", () => {
    expect(numberOf('011 15-4321-5678', 'phone', { country: 'AR' })).toMatchObject({
      e164: '+5491143215678',
    });
  });
});

describe("Argentina's mobile without its 9 or 15", () => {
  const ofArgentina = (text: string, contextWords: 'phone' | 'mobile') =>
    numberOf(text, contextWords, { country: 'AR' });
  test('is one behind a word for mobiles', () => {
    expect(ofArgentina('11 5571-4032', 'mobile')).toMatchObject({ e164: '+5491155714032', type: 'mobile' });
    expect(ofArgentina('341 590-2716', 'mobile')).toMatchObject({ e164: '+5493415902716' });
  });
  test('stays a fixed line behind another word or its trunk zero', () => {
    expect(ofArgentina('11 5571-4032', 'phone')).toMatchObject({ e164: '+541155714032' });
    expect(ofArgentina('(011) 4382-7719', 'mobile')).toMatchObject({ e164: '+541143827719' });
  });
});

describe('a local number', () => {
  test('is completed by the area code of the settings where its shape or a word marks it', () => {
    expect(numberOf('3222-4567')).toMatchObject({ e164: '+554832224567' });
    expect(numberOf('32224567', 'phone')).toMatchObject({ e164: '+554832224567' });
    expect(numberOf('32224567')).toEqual({ why: 'notValid' });
  });
});

test('a direct line behind a whole number is its extension, also without a country code', () => {
  expect(numberOf('010-65980408-8001', 'phone', { country: 'CN', areaCode: undefined })).toMatchObject({
    e164: '+861065980408',
    extension: '8001',
  });
});

test('the last number of a range is not dialled behind the first', () => {
  for (const text of ['+919812047365-69', '+91 98120 47365-69']) {
    expect(numberOf(text)).toMatchObject({ e164: '+919812047365' });
    expect(numberOf(text)).not.toHaveProperty('extension');
  }
  expect(numberOf('+91 98120 47365-12')).toMatchObject({ e164: '+919812047365', extension: '12' });
});

test.each([
  ['TR', '0216 447 18 82-83', 'none', '+902164471882'],
  ['ES', '91 447 18 82-83', 'none', '+34914471882'],
  ['ES', '914471882-83', 'phone', '+34914471882'],
  ['BR', '(11) 3456-7890-91', 'none', '+551134567890'],
] as const)('the first number of a range is read in %s: %s', (country, text, words, e164) => {
  expect(numberOf(text, words, { country, areaCode: undefined })).toMatchObject({ e164 });
  expect(numberOf(text, words, { country, areaCode: undefined })).not.toHaveProperty('extension');
});

test('digits with a check digit are not a range', () => {
  expect(numberOf('11 3456-7890-1', 'none', { areaCode: undefined })).toEqual({ why: 'notValid' });
});

test('mobile numbers are read without trunk prefix where people write them so', () => {
  expect(numberOf('9876543210', 'none', { country: 'IN' })).toMatchObject({ e164: '+919876543210' });
  expect(numberOf('532 123 45 67', 'none', { country: 'TR' })).toMatchObject({ type: 'mobile' });
  expect(numberOf('732 829 320', 'none', { country: 'FR', areaCode: undefined })).toEqual({
    why: 'notValid',
  });
});

test('a trunk prefix that is written apart speaks for the country that writes it so', () => {
  const judged = judge(
    { text: '0 800 123 456', contextWords: 'phone' },
    { ...settings, areaCode: undefined },
    { lang: 'fr' },
  );
  expect(judged).toMatchObject({ number: { e164: '+33800123456' }, certainty: 'doubtful' });
});

test('rejects zeros alone', () => {
  expect(numberOf('000-000-0000', 'phone', { country: 'US', areaCode: undefined })).toEqual({
    why: 'notPossible',
  });
});

describe('an abbreviated number', () => {
  const judged = (text: string, whole: string, more: Partial<NumberSettings> = {}) => {
    const answer = judge({ text, whole, contextWords: 'phone' }, { ...settings, ...more });
    return 'number' in answer ? (answer.number.e164 ?? answer.number.national) : answer.why;
  };
  test('is judged as the whole number', () => {
    expect(judged('7891', '(11) 3456-7891')).toBe('+551134567891');
    expect(judged('7891', '3456-7891')).toBe('+554834567891');
    expect(judged('12', '030 123456-12', { country: 'DE', areaCode: undefined })).toBe('+493012345612');
  });
  test('is never an internal extension', () => {
    expect(judged('1105', '3456-1105')).toBe('+554834561105');
    expect(judged('1105', '(00) 0000-1105')).not.toBe('1105');
  });
  test('is judged alone where only it is a number', () => {
    expect(judged('(11) 3456-7891', '+1 (11) 3456-7891')).toBe('+551134567891');
  });
  test('is judged alone where the country has it without an area code', () => {
    expect(judged('4004-1234', '(11) 4004-1234')).toBe('+5540041234');
    expect(judged('444 0 123', '0850 444 0 123', { country: 'TR', areaCode: undefined })).toBe('+904440123');
  });
  test('is judged alone where it has an area code of its own', () => {
    const more = { country: 'AR', areaCode: undefined } as const;
    expect(judged('011 4321-5678', '+54 9 11 4321-5678', more)).toBe('+541143215678');
    expect(judged('4321-5678', '+54 9 11 4321-5678', more)).toBe('+5491143215678');
  });
  test('is never a number of another country where it is one of the own', () => {
    expect(judged('4004-0001', '0800 4004-0001')).toBe('+5540040001');
    expect(judged('12', '+49 30 123456-12')).toBe('+493012345612');
  });
});

test('a local number without an area code has no E.164 form', () => {
  expect(numberOf('3456-7890', 'phone', { areaCode: undefined })).toEqual({
    national: '34567890',
    country: 'BR',
    callingCode: '55',
    type: 'unknown',
    display: '3456-7890',
  });
});

describe('internal extensions', () => {
  test("match the administrator's patterns", () => {
    expect(numberOf('1105', 'phone')).toEqual({ national: '1105', type: 'internal', display: '1105' });
    expect(numberOf('200', 'phone')).toMatchObject({ type: 'internal' });
    expect(numberOf('2105', 'phone')).toEqual({ why: 'tooShort' });
  });
});

describe('hints of the page', () => {
  const hints = { lang: 'de-DE', topLevelDomain: 'de' };
  test('are used where the own country has no such number', () => {
    expect(numberOf('030 12345678')).toEqual({ why: 'notValid' });
    expect(numberOf('030 12345678', 'none', {}, hints)).toMatchObject({
      e164: '+493012345678',
      country: 'DE',
    });
  });
  test('are weaker than the own country', () => {
    expect(numberOf('(11) 3456-7890', 'none', {}, hints)).toMatchObject({ country: 'BR' });
  });
  test('are ignored where they name no country', () => {
    expect(numberOf('030 12345678', 'none', {}, { lang: 'de', topLevelDomain: 'com' })).toBeDefined();
  });
});

describe('a number in no plan', () => {
  test('is of unknown type behind a phone word, but rejected without', () => {
    expect(numberOf('000 111 82-2100', 'phone')).toMatchObject({ type: 'unknown' });
    expect(numberOf('000 111 82-2100')).toEqual({ why: 'notValid' });
  });
  test('is accepted with a plus in groups', () => {
    expect(numberOf('+33 3 34 23 12')).toMatchObject({ type: 'unknown', display: '+33 3 34 23 12' });
  });
  test.each([
    ['+10 000 000', 'FR'],
    ['+25 000 000', 'FR'],
    ['+ 12 500 000', 'DE'],
    ['+1.500.000.000', 'BR'],
  ] as const)('is not a round figure with a plus: %s', (text, country) => {
    expect(numberOf(text, 'none', { country })).toEqual({ why: 'notValid' });
  });
  test.each([
    ['+44 800 000 000', '+44800000000'],
    ['+49 30 20000000', '+493020000000'],
  ])('may end with zeros where the plan has it: %s', (text, e164) => {
    expect(numberOf(text)).toMatchObject({ e164 });
  });
  test.each([
    ['+45 33 00 00 00', 'DK'],
    ['+354 500 0000', 'IS'],
  ] as const)('may end with zeros where it is not in groups of three: %s', (text, country) => {
    expect(numberOf(text, 'none', { country })).toMatchObject({ type: 'unknown' });
  });
  test('does not begin with a zero behind the calling code 1', () => {
    const american = { country: 'US', areaCode: undefined } as const;
    expect(numberOf('10 01 36 . 76231', 'none', american)).toEqual({ why: 'notValid' });
    expect(numberOf('1-444-555-1234', 'none', american)).toMatchObject({ type: 'unknown' });
    expect(numberOf('1 (123) 456-7890', 'none', american)).toMatchObject({ type: 'unknown' });
  });
  test('is asked about where it is a number of the plan without its last group', () => {
    const judged = judge({ text: '+34 612 345 678 3', contextWords: 'none' }, settings);
    expect(judged).toMatchObject({
      certainty: 'doubtful',
      number: { e164: '+34612345678' },
      alternatives: [{ display: '+34 612 345 678 3' }],
    });
  });
  test('is rejected when too short or too long, whatever the words', () => {
    expect(numberOf('12345', 'phone')).toEqual({ why: 'tooShort' });
    expect(numberOf('1234567890123456789', 'phone')).toEqual({ why: 'tooLong' });
    expect(numberOf('12345678901234567', 'phone')).toEqual({ why: 'notPossible' });
    // A French insurance number: only a number with its country's code is so long.
    expect(numberOf('1 54 04 98 794 725 12', 'phone')).toEqual({ why: 'notPossible' });
  });
});

test.each([
  ['0262 41 73 09', '+262262417309'],
  ['0692 12 34 56', '+262692123456'],
])('a number of a region overseas is read as the country dials it: %s', (text, e164) => {
  expect(numberOf(text, 'phone', { country: 'FR' })).toMatchObject({ e164 });
  expect(numberOf(text, 'none', { country: 'FR' })).toMatchObject({ e164 });
  expect(numberOf(text.replaceAll(' ', ''), 'none', { country: 'FR' })).toEqual({ why: 'notValid' });
});

test('a mobile word leaves out the fixed line of a country that the page names', () => {
  const own = { text: '0541 736 28 50', contextWords: 'mobile' } as const;
  const turkish = { ...settings, country: 'TR' } as const;
  const judged = judge(own, turkish, { near: 'DE' });
  expect(judged).toMatchObject({ certainty: 'certain', number: { e164: '+905417362850' } });
  expect(judge({ ...own, contextWords: 'phone' }, turkish, { near: 'DE' })).toHaveProperty(
    'certainty',
    'doubtful',
  );
});

test('the first digits of an id are not the own calling code if a group does not end behind them', () => {
  expect(numberOf('4471 882 0931', 'none', { country: 'GB' })).toEqual({ why: 'notValid' });
  expect(numberOf('44 7188 209313', 'none', { country: 'GB' })).toMatchObject({ country: 'GB' });
});

test.each(['1690336', '168 168 168', '164 211 238'])(
  'the number of a pager needs its trunk zero or a phone word: %s',
  (text) => {
    const german = { country: 'DE', areaCode: undefined } as const;
    expect(numberOf(text, 'none', german)).toHaveProperty('why');
    expect(numberOf(text, 'phone', german)).toMatchObject({ country: 'DE' });
  },
);

test('digits without the trunk zero that their country writes need a phone word', () => {
  const german = { country: 'DE', areaCode: undefined } as const;
  expect(numberOf('3005202415', 'none', german)).toEqual({ why: 'notValid' });
  expect(numberOf('3005202415', 'phone', german)).toMatchObject({ e164: '+493005202415' });
});

test.each([
  ['+881 612 345 678', 'satellite'],
  ['+870 773 111 632', 'satellite'],
  ['0900 123 4567', 'premium'],
  ['0800 591 2117', 'tollFree'],
  ['+44 7911 123 456', 'mobile'],
  ['+1 415 555 0132', 'fixedLineOrMobile'],
  ['(48) 3222-4567', 'fixedLine'],
])('%s is of type %s', (text, type) => expect(numberOf(text)).toMatchObject({ type }));

describe('each row of the evidence for a country is found in its examples', () => {
  const rows = countryEvidence.names.flatMap((name) =>
    countryEvidence.examples(name).map((example) => [name, example] as const),
  );
  test.each(rows)('%s: %s', (name, example) => {
    const [line, hint = ''] = example.slice(3).split(' @');
    const country = example.slice(0, 2) as CountryCode;
    const [candidate, ...others] = scan(line!);
    const hints: PageHints = { near: countryNear(line!, candidate!, others) };
    if (hint.startsWith('lang=')) hints.lang = hint.slice(5);
    else if (hint) hints.topLevelDomain = hint.slice(hint.lastIndexOf('.') + 1);
    const parsed = parseNumberText(candidate!.text);
    const reading = read(parsed.digits, country)!;
    const evidence =
      writingEvidence(parsed, reading, country) |
      localFormEvidence(parsed, country) |
      placeEvidence(country, hints, country);
    expect(evidence & countryEvidence.bit[name]).not.toBe(0);
  });
});

describe('the country of a number', () => {
  /** `certain` with its display, or the readings in their order. */
  const judged = (text: string, hints: PageHints = {}, country: NumberSettings['country'] = 'BR') => {
    const contextWords = 'phone' as const;
    const answer = judge({ text, contextWords }, { ...settings, areaCode: undefined, country }, hints);
    if (!('number' in answer)) return answer.why;
    const { certainty, number, alternatives } = answer;
    return certainty === 'certain'
      ? `certain ${number.display}`
      : [number, ...alternatives].map(({ display }) => display).join(', ');
  };

  test.each([
    ['BR', '(11) 3456-7890', '+55 11 3456-7890'],
    ['BR', '(011) 3456-7890', '+55 11 3456-7890'],
    ['BR', '0xx11 3456-7890', '+55 11 3456-7890'],
    ['BR', '11 9 8765-4321', '+55 11 98765-4321'],
    ['BR', '11987654321', '+55 11 98765-4321'],
    ['BR', '5511987654321', '+55 11 98765-4321'],
    ['BR', '3456-7890', '3456-7890'],
    ['BR', '0800 591 2117', '+55 800 591 2117'],
    ['ZA', '0800 254 456', '+27 80 025 4456'],
    ['IL', '1800 25 44 56', '+972 1-800-254-456'],
    ['BR', '+49 30 901820', '+49 30 901820'],
    ['BR', '0049 30 901820', '+49 30 901820'],
    ['DE', '0171/1234567', '+49 171 1234567'],
    ['DE', '030 90 18 20', '+49 30 901820'],
    ['US', '(415) 555-0132', '+1 415-555-0132'],
    ['US', '1-415-555-0132', '+1 415-555-0132'],
    ['GB', '0207 946 0123', '+44 20 7946 0123'],
    ['GB', '01179 286 341', '+44 117 928 6341'],
    ['GB', '02920 497130', '+44 29 2049 7130'],
    ['FR', '01 42 68 53 00', '+33 1 42 68 53 00'],
    ['RU', '(495) 123-45-67', '+7 495 123-45-67'],
    ['ES', '91 234 56 78', '+34 912 34 56 78'],
  ] as const)('in %s is certain for %s', (country, text, display) => {
    expect(judged(text, {}, country)).toBe(`certain ${display}`);
  });

  test.each([
    ['030 901820', '+49 30 901820, 030 901820'],
    ['089/12345-0', '+49 89 123450, 089/12345-0'],
    ['020 7946 0123', '+44 20 7946 0123, 020 7946 0123'],
    ['02079460958', '+44 20 7946 0958, 02079460958'],
    ['(415) 555-0132', '+1 415-555-0132, +55 41 5555-0132'],
    ['0114 496 0123', '+44 114 496 0123, +55 11 4496-0123'],
  ])('in Brazil is doubtful for %s', (text, readings) => expect(judged(text)).toBe(readings));

  test('follows the words next to it before the address, which it follows before the language', () => {
    const readings = (hints: PageHints) => judged('011 4321-5678', hints);
    expect(readings({})).toBe('certain +55 11 4321-5678');
    expect(readings({ near: 'AR' })).toBe('+54 11 4321-5678, +55 11 4321-5678');
    expect(readings({ topLevelDomain: 'ar' })).toBe('+54 11 4321-5678, +55 11 4321-5678');
    expect(readings({ topLevelDomain: 'br', lang: 'es-AR' })).toBe('certain +55 11 4321-5678');
  });

  test("asks about Argentina's 15 where something names Argentina", () => {
    expect(judged('11 15-2345-6789', { lang: 'es-AR' })).toBe('+54 9 11 2345-6789, 11 15-2345-6789');
    expect(judged('111523456789', { lang: 'es-AR' })).toBe('111523456789');
  });

  test('of a number with trunk zero but no groups is certain only on a site of the own country', () => {
    expect(judged('01134567890')).toMatch(/^\+55 11 3456-7890, /);
    expect(judged('01134567890', { topLevelDomain: 'br' })).toBe('certain +55 11 3456-7890');
  });
});

test.each([
  ['030 901820 (Berlin)', 'DE'],
  ['London: 020 7946 0123', 'GB'],
  ['Escritório na Alemanha 030 901820', 'DE'],
  ['Nova York 212 555 0132, Londres 020 7946 0123', 'US', 'GB'],
  ['(415) 555-0132 / +1 212 555 0100', 'US'],
  ['Ana Sofia 030 901820', undefined],
])('%s names a country', (text, ...countries) => {
  const candidates = scan(text).filter(({ text: own }) => !own.startsWith('+'));
  const near = (own: (typeof candidates)[number]) =>
    countryNear(
      text,
      own,
      scan(text).filter(({ start }) => start !== own.start),
    );
  expect(candidates.map(near)).toEqual(countries);
});

test.each([
  ['030 901820 (Berlin)', 'DE'],
  ['Tel. 089/12345-0', 'DE'],
  ['Tel. 020 7946 0123', 'GB'],
  ['(415) 555-0132, +1 212 555 0100', 'US'],
])('an agent in Brazil is asked about %s on a page', (text, country) => {
  const [candidate, ...others] = scan(text);
  const near = countryNear(text, candidate!, others);
  const judged = judge(candidate!, { ...settings, areaCode: undefined }, { near });
  expect(judged).toMatchObject({ certainty: 'doubtful', number: { country } });
});

test('an agent in Brazil is asked about a link to a national number of another country', () => {
  expect(parseDialInput('tel:02079460958', settings)).toMatchObject({
    certainty: 'doubtful',
    number: { e164: '+442079460958' },
  });
});

test('rejects emergency numbers', () => {
  for (const digits of ['190', '192', '193', '112', '911'])
    expect(numberOf(digits, 'phone')).toEqual({ why: 'emergency' });
  expect(numberOf('110', 'phone', { country: 'DE' })).toEqual({ why: 'emergency' });
  expect(numberOf('000', 'phone', { country: 'AU' })).toEqual({ why: 'emergency' });
});

describe('typed input', () => {
  test('of two numbers is the first one, without the second as its extension', () => {
    const judged = parseDialInput('48 3322-4466 ou 48 99122-4466', settings);
    expect(judged).toMatchObject({ number: { e164: '+554833224466' } });
    expect(judged).not.toHaveProperty('number.extension');
  });
  test('accepts short numbers', () => {
    expect(parseDialInput('10315', settings)).toMatchObject({
      number: { national: '10315', country: 'BR', type: 'short', display: '10315' },
    });
    expect(parseDialInput('12', settings)).toEqual({ why: 'tooShort' });
  });
  test.each(['', 'tel:', 'tel:%E0%A4%A', 'sip:ana@example.com', 'hello', '+'])(
    '%j is neither a number nor an error',
    (input) => {
      expect(parseDialInput(input, settings)).toHaveProperty('why');
    },
  );
  test('is formatted while it is typed', () => {
    expect(formatAsTyped('48999', settings)).toBe('(48) 999');
    expect(formatAsTyped('+14155550132', settings)).toBe('+1 415 555 0132');
    expect(formatAsTyped('1105', settings)).toBe('1105');
    expect(formatAsTyped('tel:', settings)).toBe('tel:');
  });
});
