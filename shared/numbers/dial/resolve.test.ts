import { describe, expect, test } from 'vitest';
import { defaultGuardPolicy } from './allow-or-refuse.ts';
import { answerKey, type DialSettings, type NumberSource, numberId, resolve } from './resolve.ts';

const settings: DialSettings = {
  numbers: { country: 'BR', areaCode: '48', extensions: ['_1XXX'], dialRules: [] },
  guard: defaultGuardPolicy,
};
const now = new Date('2026-05-04T13:00:00Z');
const onPage = (text: string): NumberSource => ({ kind: 'page', number: { text, contextWords: 'phone' } });
const typed = (text: string) => ({ kind: 'typed', text }) as const;
const answer = (source: NumberSource, own = settings) => {
  const resolved = resolve(source, own, { now });
  return 'why' in resolved
    ? resolved.why
    : `${resolved.number.display} ${resolved.digits.to} ${resolved.decision.verdict}`;
};

describe('the same number from every source', () => {
  test.each([
    typed('+55 48 3222-1000'),
    typed(' tel:+554832221000'),
    onPage('(48) 3222-1000'),
    onPage(' tel:+55-48-3222-1000'),
    onPage('\n\tTEL:+554832221000'),
    onPage('sips:+554832221000@pbx.example'),
    onPage('sms:+554832221000?body=hi'),
    onPage('https://wa.me/554832221000?text=hi'),
    { kind: 'page', number: { text: '1000', whole: '(48) 3222-1000', contextWords: 'phone' } } as const,
    { kind: 'digits', to: '4832221000' } as const,
  ])('%j', (source) => {
    expect(answer(source)).toBe('+55 48 3222-1000 4832221000 allow');
  });
});

test.each([
  typed('tel:+554832221000,12'),
  typed('+55 48 3222-1000,,12#'),
  onPage('tel:+554832221000,,12'),
  onPage('tel:4832221000,12'),
])('digits after a pause are dialled with no number: %j', (source) => {
  expect(answer(source)).toBe('+55 48 3222-1000 4832221000 allow');
  expect(resolve(source, settings, { now })).toMatchObject({ number: { extension: '12' } });
});

test.each([
  typed('*100#'),
  onPage('tel:*100%23'),
  typed('1-800-FLOWERS'),
  onPage('tel:1-800-FLOWERS'),
  typed('0800 FLOWERS'),
  typed('1 800 GO FEDEX'),
])('%j is not the short number that its digits alone would be', (source) => {
  expect(answer(source)).toBe('tooShort');
});

test.each([
  typed('1-800-555-HELP'),
  onPage('tel:1-800-555-HELP'),
  typed('1800555HELP'),
  typed('0800-555-HELP'),
])('%j is not the number of its digits without the letters', (source) => {
  expect(answer(source)).toBe('notPossible');
});

test.each([typed('4832221000 WHATSAPP'), typed('48 3222-1000CEL')])(
  'a word ends a whole number: %j',
  (source) => {
    expect(answer(source)).toBe('+55 48 3222-1000 4832221000 allow');
  },
);

describe('a local number', () => {
  const sources = [
    typed('3322-4455'),
    typed('33224455'),
    { kind: 'page', number: { text: '3322-4455', contextWords: 'phone' } } as const,
  ];
  test.each(sources)('has the area code of the agent, which is asked about: %j', (source) => {
    expect(resolve(source, settings, { now })).toMatchObject({
      number: { e164: '+554833224455', display: '+55 48 3322-4455' },
      decision: { verdict: 'confirm', reason: 'addedAreaCode', detail: '48' },
      alternatives: [],
    });
  });

  test.each(sources)('is dialled unasked once the agent has answered: %j', (source) => {
    const chosen = new Map([[answerKey(source, settings.numbers), '+554833224455']]);
    expect(resolve(source, settings, { now, chosen })).toMatchObject({
      isDoubtful: false,
      decision: { verdict: 'allow' },
    });
  });

  test.each(['3322-4455', '33224455'])('is no number of another country without an area code: %s', (text) => {
    const { areaCode: _, ...numbers } = settings.numbers;
    const resolved = resolve(typed(text), { ...settings, numbers }, { now });
    expect(resolved).toMatchObject({ number: { country: 'BR', national: '33224455' }, alternatives: [] });
  });

  test('in groups that the country does not write is asked about as its own', () => {
    const resolved = resolve(typed('332-24455'), settings, { now });
    expect(resolved).toMatchObject({ number: { e164: '+554833224455' }, isDoubtful: true, alternatives: [] });
  });
});

test('an emergency number is refused where it was typed, but is no number on a page', () => {
  expect(answer(typed('190'))).toBe('190 190 refuse');
  expect(answer(typed('tel:190'))).toBe('190 190 refuse');
  expect(answer(onPage('190'))).toBe('emergency');
  expect(answer({ kind: 'digits', to: '0190' })).toContain('refuse');
});

test('digits behind a prefix of the dial rules reach what follows it', () => {
  const dialRules = [{ when: { minLength: 8 }, prepend: '5' }];
  const ruled = { ...settings, numbers: { ...settings.numbers, dialRules } };
  expect(answer(typed('5190'), ruled)).toBe('5190 5190 refuse');
});

test('a doubtful number is asked about until the agent has answered', () => {
  const source = typed('030 901820');
  const asked = resolve(source, settings, { now });
  expect(asked).toMatchObject({
    isDoubtful: true,
    decision: { verdict: 'confirm', reason: 'doubtfulCountry' },
  });
  if ('why' in asked) throw new Error(asked.why);
  const chosen = new Map([[answerKey(source, settings.numbers), numberId(asked.number)]]);
  const answered = resolve(typed(' tel:030901820'), settings, { now, chosen });
  expect(answered).toMatchObject({ number: asked.number, isDoubtful: false });
});
