import { describe, expect, it } from 'vitest';
import {
  type Call,
  type CallErrorCode,
  callErrorCodes,
  callReasons,
  callStates,
} from '../../shared/call/call.ts';
import { widgetLanguages } from '../texts.ts';
import { formatDuration, formatTime, interpolate, sanitizeText } from './format.ts';
import { adviceFor, enderOf, outcomeText } from './outcome.ts';
import { recordingLink } from './recording.tsx';

const english = widgetLanguages.en!;
const call = (fields: Partial<Call>): Call => ({
  id: '',
  from: '',
  to: '',
  state: 'initiating',
  createdAt: '',
  revision: 0,
  ...fields,
});

describe('the texts of a call', () => {
  it('exist for every state, reason or error', () => {
    for (const state of callStates)
      for (const reason of [undefined, ...callReasons])
        for (const code of [undefined, ...callErrorCodes]) {
          const each = call({
            state,
            ...(reason ? { reason } : {}),
            ...(code ? { error: { code, message: '' } } : {}),
          });
          expect(english[outcomeText(each)]).toBeTypeOf('string');
          const advice = adviceFor(each);
          if (advice) expect(english[advice]).toBeTypeOf('string');
        }
  });

  it('distinguishes a lost call, talk, no talk', () => {
    expect(outcomeText(call({ state: 'failed', reason: 'callerNoAnswer' }))).toBe('callerNotReached');
    expect(outcomeText(call({ state: 'disconnected', talkSeconds: 5 }))).toBe('answered');
    expect(outcomeText(call({ state: 'disconnected', talkSeconds: 0 }))).toBe('noAnswer');
    expect(outcomeText(call({ state: 'disconnected' }))).toBe('ended');
  });

  it('names why a call ended, or who ended it, where the service reports it', () => {
    const over = (fields: Partial<Call>) => call({ state: 'disconnected', talkSeconds: 0, ...fields });
    expect(outcomeText(over({ reason: 'calleeBusy', endedBy: 'callee' }))).toBe('calleeBusy');
    expect(outcomeText(call({ state: 'failed', reason: 'callerRefused' }))).toBe('callerRefused');
    expect(enderOf(over({ reason: 'calleeBusy', endedBy: 'callee' }))).toBeUndefined();
    for (const endedBy of ['caller', 'callee', 'system'] as const)
      expect(enderOf(over({ reason: 'hangUp', talkSeconds: 9, endedBy }))).toBe(endedBy);
  });

  it('takes an answer that was reported for talk, however short', () => {
    const short = { state: 'disconnected', reason: 'hangUp', talkSeconds: 0 } as const;
    expect(outcomeText(call({ ...short, connectedAt: '2026-11-22T10:00:00Z' }))).toBe('answered');
    expect(outcomeText(call(short))).toBe('noAnswer');
  });

  it.each<[CallErrorCode, string]>([
    ['wrongToken', 'checkSettings'],
    ['notJson', 'checkSettings'],
    ['unreachable', 'unreachable'],
    ['refusedByProvider', 'checkNumber'],
  ])('advises about %s', (code, key) => {
    expect(adviceFor(call({ state: 'failed', reason: 'refused', error: { code, message: '' } }))).toBe(key);
  });
});

describe('sanitizeText', () => {
  it('removes invisible characters or direction marks, then truncates', () => {
    expect(sanitizeText('a\u202Egnp.exe\u2066b\u200Bc\nd')).toBe('a gnp.exe b c d');
    expect(sanitizeText('x'.repeat(10_000))).toBe(`${'x'.repeat(40)}…`);
    expect(sanitizeText('\u202E\u0000')).toBe('–');
    expect(sanitizeText(undefined)).toBe('–');
  });
});

describe('recordingLink', () => {
  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://a/b',
    'file:///etc/passwd',
    '/relative',
    '',
    `https://a/${'x'.repeat(3000)}`,
  ])('rejects %s', (address) => expect(recordingLink(address, 'https:')).toBeUndefined());
  it('is playable unless the page is encrypted while the recording is not', () => {
    expect(recordingLink('https://a/b.mp3', 'https:')?.isPlayable).toBe(true);
    expect(recordingLink('http://a/b.mp3', 'http:')?.isPlayable).toBe(true);
    expect(recordingLink('http://a/b.mp3', 'https:')?.isPlayable).toBe(false);
  });
});

describe('durations, times, sentences', () => {
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
  ])('formats %s seconds as %j', (seconds, text) => expect(formatDuration(seconds)).toBe(text));

  it('shows the day of another day only, nothing for what is no time', () => {
    const language = { tag: 'en', region: undefined, texts: english };
    const now = Date.parse('2026-11-21T12:00:00Z');
    expect(formatTime(language, '2026-11-21T11:00:00Z', now)).not.toContain('2026');
    expect(formatTime(language, '2025-01-02T11:00:00Z', now)).toContain('2025');
    expect(formatTime(language, '<img>', now)).toBe('');
  });

  it('replaces the placeholder where the sentence has one', () => {
    expect(interpolate('To {}.', 'x')).toEqual(['To ', 'x', '.']);
    expect(interpolate('Ended', 'x')).toEqual(['Ended']);
  });
});
