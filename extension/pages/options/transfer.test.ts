import { describe, expect, test } from 'vitest';
import { Settings } from '../../settings.ts';
import { exampleSettings } from './example-settings.ts';
import { exportSettings, importSettings } from './transfer.ts';

const settings = exampleSettings();

describe('settings as a file', () => {
  test('come back as they went out', () => {
    const result = importSettings(exportSettings(settings), { ...Settings.parse({}) }, []);
    expect(result.ok && result.changes['connection.relayUrl']).toBe('https://relay.example.com');
    expect(result.ok && result.changes['agent.from']).toBe(settings.agent.from);
    const again = importSettings(exportSettings(settings), { ...settings }, []);
    expect(again).toEqual({ ok: true, changes: {} });
  });

  test('keep what the file does not name', () => {
    const result = importSettings(
      '{"kind":"dialmark-settings","settings":{"agent":{"from":"1207"}}}',
      { ...settings },
      [],
    );
    expect(result).toEqual({ ok: true, changes: { 'agent.from': '1207' } });
  });

  test.each([
    ['numbers.dialRules', { numbers: { dialRules: {} } }],
    ['numbers.dialRules.0', { numbers: { dialRules: [null] } }],
    ['connection.relayUrl', { connection: { relayUrl: 5 } }],
    ['connection.direct', { connection: { direct: [] } }],
    ['agent', { agent: '1105' }],
    ['guard', { guard: null }],
    ['sites', { sites: ['crm.example'] }],
  ])('say what is wrong where %s has another type', (path, changed) => {
    const file = JSON.stringify({ kind: 'dialmark-settings', settings: changed });
    const result = importSettings(file, { ...settings }, []);
    expect(!result.ok && result.problems.map((problem) => problem.path)).toContain(path);
  });

  test.each([
    ['sites.enabled', { enabled: 'crm.example' }],
    ['sites.blocked', { blocked: {} }],
    ['sites.everywhere', { everywhere: 'yes' }],
  ])('do not call %s too long where it has another type', (path, sites) => {
    const file = JSON.stringify({ kind: 'dialmark-settings', settings: { sites } });
    expect(importSettings(file, { ...settings }, [])).toEqual({
      ok: false,
      problems: [{ path, text: 'page_problem_other' }],
    });
  });

  test('keep what a group inside a group does not name', () => {
    const direct = { ...settings.connection.direct, secondaryUrl: 'https://second.example.com' };
    const current = { ...settings, connection: { ...settings.connection, direct } };
    const file = '{"kind":"dialmark-settings","settings":{"connection":{"direct":{"method":"get"}}}}';
    expect(importSettings(file, current, [])).toEqual({
      ok: true,
      changes: { 'connection.direct.method': 'get' },
    });
  });

  test.each([
    ['lose the area code of another country', { country: 'AR' }, [], { 'numbers.areaCode': undefined }],
    ['bring their own area code', { country: 'AR', areaCode: '11' }, [], { 'numbers.areaCode': '11' }],
    ['leave an area code that is locked', { country: 'AR' }, ['numbers.areaCode'], {}],
  ])('%s', (_, numbers, locked, areaCode) => {
    const file = JSON.stringify({ kind: 'dialmark-settings', settings: { numbers } });
    expect(importSettings(file, { ...settings }, locked)).toStrictEqual({
      ok: true,
      changes: { 'numbers.country': 'AR', ...areaCode },
    });
  });

  test.each([
    ['leave the area code of a locked country', { country: 'AR' }, {}],
    ['bring no area code of another country than the locked one', { country: 'AR', areaCode: '11' }, {}],
    [
      'bring an area code of the locked country',
      { country: 'BR', areaCode: '11' },
      { 'numbers.areaCode': '11' },
    ],
  ])('%s', (_, numbers, changes) => {
    const file = JSON.stringify({ kind: 'dialmark-settings', settings: { numbers } });
    expect(importSettings(file, { ...settings }, ['numbers.country'])).toStrictEqual({ ok: true, changes });
  });

  test('are refused where a newer version has written them', () => {
    const file = JSON.stringify({ kind: 'dialmark-settings', settings: { ...settings, version: 2 } });
    expect(importSettings(file, { ...settings }, [])).toEqual({
      ok: false,
      problems: [{ text: 'options_importNewer' }],
    });
  });

  test('never change what the organisation locked, down to one field', () => {
    const file = JSON.stringify({
      kind: 'dialmark-settings',
      settings: {
        connection: { mode: 'direct', direct: { method: 'get', version: 'v2' } },
        agent: { from: '1207' },
      },
    });
    const result = importSettings(file, { ...settings }, [
      'connection.mode',
      'connection.direct.method',
      'agent',
    ]);
    expect(result).toEqual({ ok: true, changes: { 'connection.direct.version': 'v2' } });
  });

  test('bring in no member that the schema does not know', () => {
    const file =
      '{"kind":"dialmark-settings","settings":{"agent":{"agentKey":"secret"},"vault":{"agentKey":"x"}}}';
    expect(importSettings(file, { ...settings }, [])).toEqual({ ok: true, changes: {} });
  });

  test.each([
    ['{', undefined, 'options_importOtherFile'],
    ['[]', undefined, 'options_importOtherFile'],
    ['{"kind":"other"}', undefined, 'options_importOtherFile'],
    [
      '{"kind":"dialmark-settings","settings":{"agent":{"timeout":0}}}',
      'agent.timeout',
      'page_problem_timeout',
    ],
  ])('say what is wrong with %s', (file, path, text) => {
    const result = importSettings(file, { ...settings }, []);
    expect(result).toEqual({ ok: false, problems: [path === undefined ? { text } : { path, text }] });
  });

  test.each([
    '{"agent":{"constructor":{"x":1},"toString":"x","from":"1207"}}',
    '{"agent":{"__proto__":{"callerid":"4833221000"},"from":"1207"}}',
    '{"__proto__":{"agent":{"from":"1"}},"agent":{"from":"1207"}}',
    '{"agent":{"hasOwnProperty":1,"valueOf":{},"from":"1207"}}',
  ])('take nothing over but settings from %s', (hostile) => {
    const result = importSettings(`{"kind":"dialmark-settings","settings":${hostile}}`, { ...settings }, []);
    expect(result).toEqual({ ok: true, changes: { 'agent.from': '1207' } });
    expect(() => structuredClone(result)).not.toThrow();
    expect(Object.prototype).not.toHaveProperty('callerid');
  });

  test('cannot write past a lock by a dotted name', () => {
    const file = '{"kind":"dialmark-settings","settings":{"connection":{"direct.method":"get"}}}';
    expect(importSettings(file, { ...settings }, ['connection.direct.method'])).toEqual({
      ok: true,
      changes: {},
    });
  });

  test('are refused with more sites than a browser can work with', () => {
    const enabled = Array.from({ length: 20_000 }, (_, index) => `host${index}.example`);
    const file = JSON.stringify({ kind: 'dialmark-settings', settings: { sites: { enabled } } });
    expect(importSettings(file, { ...settings }, [])).toEqual({
      ok: false,
      problems: [{ path: 'sites.enabled', text: 'error_tooManySites' }],
    });
  });

  test('are refused where they nest without end', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const file = `{"kind":"dialmark-settings","settings":{"agent":{"from":${deep}}}}`;
    expect(importSettings(file, { ...settings }, []).ok).toBe(false);
  });
});
