import { describe, expect, test } from 'vitest';
import { valueAt, withValue } from '../../dotted-path.ts';
import { neededAddresses, plaintextAddresses, withSchemes } from '../parts/used-addresses.ts';
import {
  problemsOf,
  type SettingsDraft,
  sameSettings,
  withChanges,
  withoutFoldedProblems,
  withoutSaved,
} from './draft.ts';
import { exampleSettings } from './example-settings.ts';

const draft = exampleSettings() as unknown as SettingsDraft;
const problem = (path: string, value: unknown) => problemsOf(withValue(draft, path, value)).get(path);

describe('the draft of the settings', () => {
  test.each([
    ['connection.direct.secondaryUrl', 'https://', { 'connection.direct.useLocal': true }],
    ['connection.direct.localUrl', 'https://', {}],
    ['connection.direct.ownReturnUrl', 'https://', { 'connection.direct.returnTo': 'relay' }],
    ['connection.direct.map', 'callid', { 'connection.mode': 'relay' }],
  ])('keeps what was saved at %s while it is out of sight with a problem', (path, typed, choices) => {
    const chosen = Object.entries({ 'connection.mode': 'direct', ...choices, [path]: typed });
    const filled = chosen.reduce<SettingsDraft>(
      (result, [name, value]) => withValue(result, name, value),
      draft,
    );
    expect(problemsOf(filled).has(path)).toBe(true);
    const toSave = withoutFoldedProblems(filled, draft);
    expect([...problemsOf(withValue(toSave, 'connection.direct.localUrl', 'https://pbx.lan'))]).toEqual([]);
    expect(valueAt(toSave, path)).toBe(valueAt(draft, path));
  });

  test('keeps what was typed at a field in sight', () => {
    const typed = [
      ['mode', 'direct'],
      ['direct.secondaryUrl', 'https://'],
    ] as const;
    const filled = typed.reduce<SettingsDraft>(
      (result, [name, value]) => withValue(result, `connection.${name}`, value),
      draft,
    );
    expect(withoutFoldedProblems(filled, draft)).toEqual(filled);
  });

  test('asks nothing about plain text of an address that is not in use', () => {
    const names = { mode: 'direct', 'direct.useLocal': true, 'direct.primaryUrl': 'http://api.example.com' };
    const filled = Object.entries(names).reduce<SettingsDraft>(
      (result, [name, value]) => withValue(result, `connection.${name}`, value),
      draft,
    );
    expect(plaintextAddresses(filled)).toEqual([]);
    expect(plaintextAddresses(withValue(filled, 'connection.direct.useLocal', false))).toEqual([
      'connection.direct.primaryUrl',
    ]);
  });

  test('that is valid has no problems', () => {
    expect([...problemsOf(draft)]).toEqual([]);
  });

  test.each([
    ['connection.relayUrl', 'relay', 'page_problem_address'],
    ['connection.relayUrl', 'https://user:word@relay.example', 'page_problem_address'],
    ['connection.relayUrl', 'http://pbx.lan:8787', 'page_problem_plaintext'],
    ['agent.from', 'two words', 'page_problem_from'],
    ['agent.timeout', 0, 'page_problem_timeout'],
    ['agent.timeout', 'not a number', 'page_problem_timeout'],
    ['appearance.tipDelayMs', 1500, 'page_problem_tipDelay'],
    ['agent.callerid', '555-a', 'page_problem_callerid'],
    ['numbers.areaCode', '048', 'page_problem_areaCode'],
    ['guard.maxCallsPerMinute', 0, 'page_problem_maxCalls'],
    ['connection.direct.map', 'callid', 'page_problem_map'],
    ['connection.direct.map', 'callid:a,billsec:a', 'page_problem_map'],
  ])('says why %s cannot be %s', (path, value, text) => {
    expect(problem(path, value)).toBe(text);
  });

  test('names the one wrong word of a list', () => {
    const problems = problemsOf(withValue(draft, 'numbers.extensions', ['_1XXX', 'abc']));
    expect([...problems]).toEqual([['numbers.extensions.1', 'page_problem_extensions']]);
  });

  test('names the field of a dial rule', () => {
    const problems = problemsOf(withValue(draft, 'numbers.dialRules', [{ when: {}, prepend: 'x' }]));
    expect([...problems]).toEqual([['numbers.dialRules.0.prepend', 'page_problem_digits']]);
  });

  test('takes plain http after the deliberate yes, or on this machine without it', () => {
    const lan = withValue(draft, 'connection.relayUrl', 'http://pbx.lan:8787');
    expect(plaintextAddresses(lan)).toEqual(['connection.relayUrl']);
    expect([...problemsOf(withValue(lan, 'connection.allowPlaintext', true))]).toEqual([]);
    for (const loopback of ['http://127.0.0.1:8787', 'http://localhost:8787', 'http://[::1]:8787'])
      expect(problem('connection.relayUrl', loopback)).toBeUndefined();
  });

  test('needs the local address for a local PBX, an own return address where that is chosen', () => {
    const local = withValue(
      withValue(draft, 'connection.mode', 'direct'),
      'connection.direct.useLocal',
      true,
    );
    expect(problemsOf(local).get('connection.direct.localUrl')).toBe('page_problem_address');
    const own = withValue(withValue(draft, 'connection.mode', 'direct'), 'connection.direct.returnTo', 'own');
    expect(problemsOf(own).get('connection.direct.ownReturnUrl')).toBe('page_problem_address');
  });

  test('needs permission only for the addresses that calls will go to', () => {
    const direct = [
      ['connection.mode', 'direct'],
      ['connection.direct.primaryUrl', 'https://api.example.com'],
      ['connection.direct.localUrl', 'http://pbx.lan:3000'],
    ].reduce<SettingsDraft>((result, [path, value]) => withValue(result, path!, value), draft);
    expect(neededAddresses(direct)).toEqual(['https://relay.example.com', 'https://api.example.com']);
    expect(neededAddresses(withValue(direct, 'connection.direct.useLocal', true))).toEqual([
      'https://relay.example.com',
      'http://pbx.lan:3000',
    ]);
    expect(neededAddresses(draft)).toEqual(['https://relay.example.com']);
  });

  test('is unsaved exactly while it would save something else', () => {
    const changed = withValue(draft, 'agent.from', '1207');
    expect(sameSettings(draft, changed)).toBe(false);
    expect(sameSettings(draft, withValue(changed, 'agent.from', '1105'))).toBe(true);
    expect(sameSettings(draft, withValue(draft, 'agent.callerid', undefined))).toBe(true);
  });

  test('keeps a list a list when a field inside it is written', () => {
    const ruled = withValue(draft, 'numbers.dialRules', [{ when: {}, strip: 1 }, { when: {} }]);
    const next = withValue(ruled, 'numbers.dialRules.1.when.prefix', '0');
    expect(valueAt(next, 'numbers.dialRules')).toEqual([{ when: {}, strip: 1 }, { when: { prefix: '0' } }]);
    expect([...problemsOf(next)]).toEqual([]);
  });

  test('refuses a dial rule without a condition or without a change', () => {
    const ruled = withValue(draft, 'numbers.dialRules', [
      { when: {}, note: 'x', strip: 0 },
      { when: {}, prepend: '0' },
    ]);
    expect([...problemsOf(ruled)]).toEqual([['numbers.dialRules.0.when.prefix', 'page_problem_emptyRule']]);
  });

  test.each([
    ['relay.example.com', 'https://relay.example.com'],
    ['relay.example.com:8443/base', 'https://relay.example.com:8443/base'],
    ['localhost:8787', 'http://localhost:8787'],
    ['http://pbx.lan', 'http://pbx.lan'],
    ['htps:/relay.example.com', 'htps:/relay.example.com'],
    ['two words', 'two words'],
    ['', ''],
  ])('completes the address %s to %s', (typed, complete) => {
    const typedDraft = withValue(draft, 'connection.relayUrl', typed);
    expect(valueAt(withSchemes(typedDraft), 'connection.relayUrl')).toBe(complete);
  });

  test('forgets what was changed inside of what is replaced', () => {
    const noted = withChanges(new Map(), { 'numbers.dialRules.0.note': 'a', 'agent.from': '1' });
    expect([...withChanges(noted, { 'numbers.dialRules': [] })]).toEqual([
      ['agent.from', '1'],
      ['numbers.dialRules', []],
    ]);
  });

  test('keeps what was changed while it was saved', () => {
    const sent = withChanges(new Map(), { 'agent.from': '1', 'agent.timeout': 20, 'agent.callerid': '2' });
    const now = withChanges(sent, { 'agent.from': '12', 'agent.callerid': undefined });
    expect([...withoutSaved(now, sent)]).toEqual([
      ['agent.from', '12'],
      ['agent.callerid', undefined],
    ]);
  });

  test('writes a path without touching the draft before', () => {
    const next = withValue(draft, 'connection.direct.primaryUrl', 'https://api.example.com');
    expect(valueAt(next, 'connection.direct.primaryUrl')).toBe('https://api.example.com');
    expect(valueAt(draft, 'connection.direct.primaryUrl')).toBeUndefined();
  });
});
