import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { type CallErrorCode, callErrorCodes, callReasons, callStates, newCall } from '../shared/call/call.ts';
import { numberTypes } from '../shared/numbers/number-settings.ts';
import type { CallRecord } from './background/calls/call-record.ts';
import { sentenceOf } from './background/calls/call-words.ts';
import { errorCodes } from './messages/error-codes.ts';
import { connectionCauses } from './messages/views.ts';
import { chooseLanguage, languages, languageTag, text, textsStartingWith } from './text.ts';

type Messages = Record<string, { message: string; placeholders?: unknown }>;
const read = (language: string) =>
  JSON.parse(
    readFileSync(new URL(`./_locales/${language}/messages.json`, import.meta.url), 'utf8'),
  ) as Messages;
const english = read('en');
const placeholders = (message: string) => [...message.matchAll(/\$\d/g)].map(([found]) => found).sort();

beforeEach(() => chooseLanguage('en'));

describe.each(languages)('the texts in %s', (language) => {
  const messages = read(language);

  test('are exactly the texts of the others', () => {
    expect(Object.keys(messages)).toEqual(Object.keys(english));
  });

  test('say that calls from private windows are kept', () => {
    expect(messages.privacy_kept!.message).toMatch(/ private windows | privativas | privadas /);
  });

  test('say something with the placeholders of the English ones', () => {
    for (const [key, { message }] of Object.entries(messages)) {
      expect(message.trim(), key).not.toBe('');
      expect([...new Set(placeholders(message))], key).toEqual([
        ...new Set(placeholders(english[key]!.message)),
      ]);
    }
  });

  test('use no character that the browsers read as markup of their own', () => {
    for (const [key, { message }] of Object.entries(messages)) {
      expect(message.replace(/\$[1-9]/g, ''), key).not.toMatch(/\$/);
    }
  });

  test('cover every code that can reach a person', () => {
    const keys = [
      ...errorCodes.map((code) => `error_${code}`),
      ...connectionCauses.map((cause) => `cause_${cause}`),
      ...numberTypes.map((type) => `options_type_${type}`),
      ...['abroad', 'premium', 'sharedCost', 'satellite', 'short', 'emergency', 'mayBeEmergency'].map(guard),
      ...[
        'blockedPrefix',
        'officeHours',
        'tooManyCalls',
        'notANumber',
        'doubtfulCountry',
        'addedAreaCode',
      ].map(guard),
    ];
    expect(keys.filter((key) => !(key in messages))).toEqual([]);
  });
});

const guard = (reason: string) => `guard_${reason}`;

describe('looking a text up', () => {
  test('puts the arguments in their places', () => {
    expect(text('popup_legYou', '1105')).toBe('Your phone (1105) rings first');
  });

  test('speaks the language chosen, whatever the browser speaks', () => {
    chooseLanguage('pt_BR');
    expect(text('page_cancel')).toBe('Cancelar');
    expect(languageTag()).toBe('pt-BR');
    chooseLanguage('');
    expect(text('page_cancel')).toBe('Cancel');
  });

  test('hands a content script only the texts of its own prefix', () => {
    const texts = textsStartingWith('content_');
    expect(Object.keys(texts).length).toBeGreaterThan(0);
    expect(Object.keys(texts).every((key) => key.startsWith('content_'))).toBe(true);
  });
});

describe.each(languages)('what a call says of itself in %s', (language) => {
  beforeEach(() => chooseLanguage(language));

  test.each(callStates)('%s, whatever its reason or error', (state) => {
    for (const reason of [undefined, ...callReasons])
      for (const code of [undefined, ...callErrorCodes])
        for (const followed of ['relay', 'none'] as const) {
          const sentence = sentenceOf(record({ state, reason, code, followed }));
          expect(sentence, `${reason} ${code}`).toMatch(/\p{L}{3}.*\p{L}{3}/u);
          expect(sentence, `${reason} ${code}`).not.toMatch(/\$|undefined|_/);
        }
  });
});

function record(say: {
  state: CallRecord['call']['state'];
  reason: CallRecord['call']['reason'];
  code: CallErrorCode | undefined;
  followed: CallRecord['followed'];
}): CallRecord {
  const { reason, code } = say;
  const call = newCall({
    id: 'A'.repeat(22),
    from: '1105',
    to: '4832221000',
    now: '2026-05-04T13:05:10.000Z',
  });
  return {
    call: {
      ...call,
      state: say.state,
      ...(reason === undefined ? {} : { reason }),
      ...(code === undefined ? {} : { error: { code, message: 'the words of the service' } }),
    },
    display: '48 3222-1000',
    followed: say.followed,
    request: { from: '1105', to: '4832221000' },
  } as CallRecord;
}
