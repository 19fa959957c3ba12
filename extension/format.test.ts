import { beforeEach, describe, expect, test, vi } from 'vitest';
import { clock } from './clock.ts';
import { durationInWords, fileSize, when } from './format.ts';
import { chooseLanguage } from './text.ts';

beforeEach(() => chooseLanguage('en'));

describe('times as people read them', () => {
  test.each([
    [0, '0:00'],
    [7.9, '0:07'],
    [247, '4:07'],
    [3847, '1:04:07'],
    [-3, '0:00'],
  ])('a clock of %s seconds shows %s', (seconds, shown) => {
    expect(clock(seconds)).toBe(shown);
  });

  test.each([
    [0, '0 sec'],
    [59, '59 sec'],
    [84, '1 min 24 sec'],
    [120, '2 min'],
    [3660, '1 hr 1 min'],
  ])('%s seconds of talk are %s', (seconds, shown) => {
    expect(durationInWords(seconds)).toBe(shown);
  });

  test('a day is named as far as it is needed', () => {
    const now = new Date(2026, 4, 4, 15, 0);
    const at = (...parts: [number, number, number, number, number]) =>
      when(new Date(...parts).toISOString(), now);
    expect(at(2026, 4, 4, 9, 5)).toMatch(/^9:05/);
    expect(at(2026, 4, 3, 23, 59)).toMatch(/^yesterday, 11:59/);
    expect(at(2026, 3, 1, 9, 5)).toMatch(/^Apr 1, 9:05/);
    expect(at(2025, 3, 1, 9, 5)).toMatch(/^Apr 1, 2025, 9:05/);
  });

  test.each([
    ['en-GB', 'en', /^1 Apr, 21:05$/],
    ['en-US', 'en', /^Apr 1, 9:05.PM$/],
    ['de', 'en', /^Apr 1, 9:05.PM$/],
    ['en-GB', 'pt_BR', /^1 de abr\., 21:05$/],
  ] as const)('a browser in %s writes a time in %s as its region does', (tag, language, written) => {
    vi.stubGlobal('chrome', { i18n: { getUILanguage: () => tag } });
    chooseLanguage(language);
    expect(when(new Date(2026, 3, 1, 21, 5).toISOString(), new Date(2026, 4, 4))).toMatch(written);
    vi.unstubAllGlobals();
  });

  test('sizes of recordings', () => {
    expect(fileSize(1_234_567)).toBe('1.2 MB');
    expect(fileSize(45_678)).toBe('46 kB');
  });
});
