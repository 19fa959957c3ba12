import { describe, expect, it } from 'vitest';
import {
  type Call,
  type CallErrorCode,
  callErrorCodes,
  callReasons,
  callStates,
} from '../../shared/call/call.ts';
import { en } from '../words/en.ts';
import { adviceFor, outcomeOf } from './outcome.ts';
import { plainText } from './plain-text.ts';
import { recordingLink } from './recording-link.ts';
import { clock, moment, say } from './say.ts';

const call = (fields: Partial<Call>): Call => ({
  id: '',
  from: '',
  to: '',
  state: 'initiating',
  createdAt: '',
  revision: 0,
  ...fields,
});

describe('what a call says of itself', () => {
  it('has words for every state, reason and error', () => {
    for (const state of callStates)
      for (const reason of [undefined, ...callReasons])
        for (const code of [undefined, ...callErrorCodes]) {
          const each = call({
            state,
            ...(reason ? { reason } : {}),
            ...(code ? { error: { code, message: '' } } : {}),
          });
          expect(en[outcomeOf(each)]).toBeTypeOf('string');
          const advice = adviceFor(each);
          if (advice) expect(en[advice]).toBeTypeOf('string');
        }
  });

  it('names a lost call, and tells talk from none', () => {
    expect(outcomeOf(call({ state: 'failed', reason: 'callerNoAnswer' }))).toBe('callerNoAnswer');
    expect(outcomeOf(call({ state: 'disconnected', talkSeconds: 5 }))).toBe('talked');
    expect(outcomeOf(call({ state: 'disconnected', talkSeconds: 0 }))).toBe('noTalk');
    expect(outcomeOf(call({ state: 'disconnected' }))).toBe('ended');
  });

  it.each<[CallErrorCode, string]>([
    ['wrongToken', 'checkSettings'],
    ['notJson', 'checkSettings'],
    ['unreachable', 'unreachable'],
    ['refusedByProvider', 'checkNumber'],
  ])('says what to do about %s', (code, key) => {
    expect(adviceFor(call({ state: 'failed', reason: 'refused', error: { code, message: '' } }))).toBe(key);
  });
});

describe("other people's text", () => {
  it('is short, visible and keeps its direction', () => {
    expect(plainText('a\u202Egnp.exe\u2066b\u200Bc\nd')).toBe('a gnp.exe b c d');
    expect(plainText('x'.repeat(10_000))).toBe(`${'x'.repeat(40)}…`);
    expect(plainText('\u202E\u0000')).toBe('–');
    expect(plainText(undefined)).toBe('–');
  });
});

describe('the link to a recording', () => {
  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://a/b',
    'file:///etc/passwd',
    '/relative',
    '',
    `https://a/${'x'.repeat(3000)}`,
  ])('is none for %s', (address) => expect(recordingLink(address, 'https:')).toBeUndefined());
  it('is played inside but where the page is encrypted and the recording is not', () => {
    expect(recordingLink('https://a/b.mp3', 'https:')?.playable).toBe(true);
    expect(recordingLink('http://a/b.mp3', 'http:')?.playable).toBe(true);
    expect(recordingLink('http://a/b.mp3', 'https:')?.playable).toBe(false);
  });
});

describe('durations and times', () => {
  it.each([
    [0, '0:00'],
    [7.9, '0:07'],
    [65, '1:05'],
    [725, '12:05'],
    [3609, '1:00:09'],
    [36_000, '10:00:00'],
    [-3, '0:00'],
    [undefined, ''],
    [Number.NaN, ''],
  ])('%s seconds are %j', (seconds, text) => expect(clock(seconds)).toBe(text));

  it('show the day only when it is not today, and nothing for what is no time', () => {
    const language = { tag: 'en', region: undefined, words: en };
    const now = Date.parse('2026-11-21T12:00:00Z');
    expect(moment(language, '2026-11-21T11:00:00Z', now)).not.toContain('2026');
    expect(moment(language, '2025-01-02T11:00:00Z', now)).toContain('2025');
    expect(moment(language, '<img>', now)).toBe('');
  });

  it('set something in where the sentence has a place for it', () => {
    expect(say('To {}.', 'x')).toEqual(['To ', 'x', '.']);
    expect(say('Ended', 'x')).toEqual(['Ended']);
  });
});
