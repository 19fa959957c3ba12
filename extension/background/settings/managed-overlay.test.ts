import { expect, test } from 'vitest';
import { Settings } from '../../settings.ts';
import { keepLocked, overlayManaged } from './managed-overlay.ts';

const own = Settings.parse({ connection: { relayUrl: 'https://mine.example' }, agent: { from: '1105' } });

test('a managed value wins over the own one, locked, while the others stay', () => {
  const { settings, locked, problems } = overlayManaged(
    own,
    {
      connection: { relayUrl: 'https://relay.example', direct: { method: 'get' } },
      sites: { enabled: ['crm.example'] },
    },
    true,
  );
  expect(settings.connection.relayUrl).toBe('https://relay.example');
  expect(settings.connection.direct.method).toBe('get');
  expect(settings.agent.from).toBe('1105');
  expect(locked).toEqual(['connection.relayUrl', 'connection.direct.method', 'sites.enabled']);
  expect(problems).toEqual([]);
});

test('an invalid managed value is named, then left out alone', () => {
  const { settings, locked, problems } = overlayManaged(
    own,
    {
      connection: { relayUrl: 'not an address', mode: 'direct' },
      agent: { timeout: 'soon' },
      undeclared: { thing: 1 },
    },
    true,
  );
  expect(settings.connection).toMatchObject({ relayUrl: 'https://mine.example', mode: 'direct' });
  expect(locked).toEqual(['connection.mode']);
  expect(problems).toEqual([
    { path: 'connection.relayUrl', problem: 'notValid' },
    { path: 'agent.timeout', problem: 'notValid' },
    { path: 'undeclared.thing', problem: 'noSuchSetting' },
  ]);
});

test('takes ten thousand numbers that are never called, naming a list that is longer', () => {
  const numbers = Array.from({ length: 10_000 }, (_, index) => `+554832${String(220_000 + index)}`);
  expect(overlayManaged(own, { doNotCall: numbers }, true).settings.doNotCall).toHaveLength(10_000);
  const longer = overlayManaged(own, { doNotCall: [...numbers, '+55*'] }, true);
  expect(longer.settings.doNotCall).toEqual([]);
  expect(longer.problems).toEqual([{ path: 'doNotCall', problem: 'notValid' }]);
});

test('names a country code without its number in the list of numbers that are never called', () => {
  const listed = ['+1', '+1 415*', '+683 4002', '2201', '7'];
  const { settings, problems } = overlayManaged(own, { doNotCall: listed }, true);
  expect(settings.doNotCall).toEqual(['+1 415*', '+683 4002', '2201']);
  expect(problems.map(({ path }) => path)).toEqual(['doNotCall.0', 'doNotCall.4']);
});

test('a wrong item of a list is named by its place, then left out alone', () => {
  const { settings, locked, problems } = overlayManaged(
    own,
    {
      numbers: {
        dialRules: [
          { when: { minLenght: 8 }, prepend: '0' },
          { when: { minLength: 8 }, prepend: '9' },
        ],
      },
      guard: { allowedCountries: ['uy', 'AR'] },
      sites: { enabled: ['https://crm.example/contacts', 'crm example'], blocked: ['no host'] },
    },
    true,
  );
  expect(settings.numbers.dialRules).toEqual([{ when: { minLength: 8 }, prepend: '9' }]);
  expect(settings.guard.allowedCountries).toEqual(['AR']);
  expect(settings.sites).toMatchObject({ enabled: ['crm.example'], blocked: [] });
  expect(locked).toEqual(['numbers.dialRules', 'guard.allowedCountries', 'sites.enabled']);
  expect(problems).toEqual([
    { path: 'numbers.dialRules.0.when.minLenght', problem: 'noSuchSetting' },
    { path: 'guard.allowedCountries.0', problem: 'notValid' },
    { path: 'sites.enabled.1', problem: 'notValid' },
    { path: 'sites.blocked.0', problem: 'notValid' },
  ]);
});

test('an empty list is a value', () => {
  const mine = Settings.parse({ sites: { enabled: ['crm.example'] } });
  const { settings, locked } = overlayManaged(mine, { sites: { enabled: [] } }, true);
  expect(settings.sites.enabled).toEqual([]);
  expect(locked).toEqual(['sites.enabled']);
});

test('a value that is not valid comes with those that would be, never with itself', () => {
  const { problems } = overlayManaged(
    own,
    {
      connection: { mode: 'Relay', allowPlaintext: 'secret' },
      guard: { officeHours: { days: [1, 8], fromMinute: 480, toMinute: 1080 } },
      sites: { blocked: 'bank.example' },
    },
    true,
  );
  expect(problems).toEqual([
    { path: 'connection.mode', problem: 'notValid', expected: ['"relay"', '"direct"'] },
    { path: 'connection.allowPlaintext', problem: 'notValid', expected: ['true', 'false'] },
    { path: 'guard.officeHours.days.1', problem: 'notValid' },
    { path: 'sites.blocked', problem: 'notValid', expected: ['["…"]'] },
  ]);
});

test('no policy, or one that is no object, changes nothing', () => {
  for (const managed of [undefined, {}, [], 'x', null])
    expect(overlayManaged(own, managed, true)).toEqual({ settings: own, locked: [], problems: [] });
});

test('managed secrets are no settings', () => {
  const { settings, locked, problems } = overlayManaged(own, { secrets: { agentKey: 'k' } }, true);
  expect(JSON.stringify(settings)).not.toContain('"k"');
  expect([locked, problems]).toEqual([[], []]);
});

test('a page that saves cannot change what is locked, nor store the policy as its own', () => {
  const { settings, locked } = overlayManaged(
    own,
    { connection: { relayUrl: 'https://relay.example' } },
    true,
  );
  const typed = { ...settings, agent: { ...settings.agent, from: '1106' } };
  const stored = keepLocked(typed, locked, own);
  expect(stored.connection.relayUrl).toBe('https://mine.example');
  expect(stored.agent.from).toBe('1106');
});

test('where content scripts can read the policy, a secret in it is refused by name', () => {
  const { problems } = overlayManaged(own, { secrets: { agentKey: 'k' } }, false);
  expect(problems).toEqual([{ path: 'secrets', problem: 'secretsAreReadable' }]);
});
