import { describe, expect, test } from 'vitest';
import { defaultRules } from '../../../shared/protocol/rules.ts';
import { withValue } from '../../dotted-path.ts';
import type { SettingsDraft } from './draft.ts';
import { exampleSettings } from './example-settings.ts';
import { tryNumber } from './try-number.ts';

const draft = exampleSettings() as unknown as SettingsDraft;
const now = new Date('2026-05-04T13:00:00Z');

describe('trying a number on the settings in the form', () => {
  test('says what would be dialled by the default plan', () => {
    expect(tryNumber('(48) 3222-1000', draft, now)).toMatchObject({
      result: 'number',
      digits: { to: '4832221000' },
      decision: { verdict: 'allow' },
    });
  });

  test('names the rule that made the digits, before it is saved', () => {
    const ruled = withValue(draft, 'numbers.dialRules', [
      { when: { countries: ['DE'] }, prepend: '9' },
      { when: { minLength: 8 }, prepend: '0' },
    ]);
    expect(tryNumber('(48) 3222-1000', ruled, now)).toMatchObject({ digits: { to: '04832221000', rule: 1 } });
  });

  test("judges by the team's rules, which the form leaves open", () => {
    const rules = {
      ...defaultRules,
      numbers: { dialRules: [{ when: {}, prepend: '7', note: 'Team' }] },
      refuses: { blockedPrefixes: ['+4930'], shortNumbers: true },
    };
    const open = withValue(draft, 'numbers.dialRules', []);
    expect(tryNumber('(48) 3222-1000', open, now, rules)).toMatchObject({
      digits: { to: expect.stringMatching(/^7/) },
      rule: { note: 'Team' },
    });
    expect(tryNumber('+49 30 901820', open, now, rules)).toMatchObject({
      decision: { verdict: 'refuse', reason: 'blockedPrefix' },
    });
  });

  test('returns the decision of the guard', () => {
    expect(tryNumber('+49 89 32168011', draft, now)).toMatchObject({
      decision: { verdict: 'confirm', reason: 'abroad' },
    });
  });

  test('refuses what a click refuses: an emergency number behind a prefix of the rules', () => {
    const ruled = withValue(draft, 'numbers.dialRules', [{ when: { minLength: 8 }, prepend: '5' }]);
    expect(tryNumber('5190', ruled, now)).toMatchObject({
      decision: { verdict: 'refuse', reason: 'emergency' },
    });
  });

  test('asks about a number of a doubtful country as a click does', () => {
    expect(tryNumber('030 901820', draft, now)).toMatchObject({
      decision: { verdict: 'confirm', reason: 'doubtfulCountry' },
    });
  });

  test('says when it is no number, or when the settings must be corrected first', () => {
    expect(tryNumber('12', draft, now).result).toBe('notANumber');
    expect(tryNumber('3222-1000', withValue(draft, 'numbers.areaCode', 'x'), now).result).toBe(
      'settingsInvalid',
    );
    expect(tryNumber('  ', draft, now).result).toBe('empty');
  });
});
