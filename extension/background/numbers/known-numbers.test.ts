import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import type { NumberStatus } from '../../../shared/protocol/number-status.ts';
import { defaultRules, type Rules } from '../../../shared/protocol/rules.ts';
import { chooseLanguage } from '../../text.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.stubGlobal('__BROWSER__', 'chrome');

const {
  applyNamesEvent,
  forgetKnownNumbers,
  knownNumbers,
  nameWhileAsking,
  numberFromDisplay,
  onKnownNumbersChanged,
  refusalOfKnown,
} = await import('./known-numbers.ts');
const { readSettings, updateSettings } = await import('../settings/settings-store.ts');
const { writeSecret } = await import('../settings/secrets.ts');

let asked: string[][] = [];
let answer: (number: string) => Partial<NumberStatus>;
let epoch: string;
let isDown: boolean;
/** The relay's clock, where it says what it has. */
let relayTime: Date | undefined;
let onAsked: () => void;
vi.stubGlobal('fetch', async (_url: string, { body }: RequestInit) => {
  if (isDown) throw new TypeError('Failed to fetch');
  const { numbers } = JSON.parse(body as string) as { numbers: string[] };
  asked.push(numbers);
  const statuses = numbers.map((number) => ({ number, names: [], count: 0, ...answer(number) }));
  const answered = Response.json({ epoch, numbers: statuses });
  if (relayTime) answered.headers.set('date', relayTime.toUTCString());
  onAsked();
  return answered;
});

const ana = '+55 48 3222-1000';
const names = [{ name: 'Ana Prado', organisation: 'Acme', source: 'crm' }];

beforeEach(async () => {
  chooseLanguage('en');
  vi.useRealTimers();
  const relayUrl = 'http://127.0.0.1:8787';
  await updateSettings((own) => ({ ...own, connection: { ...own.connection, relayUrl } }));
  await writeSecret('agentKey', 'dmk_agent', (await readSettings()).settings);
  forgetKnownNumbers();
  asked = [];
  epoch = '1';
  isDown = false;
  relayTime = new Date();
  onAsked = () => {};
  answer = () => ({ names, count: 1, organisation: 'Acme' });
});

test('says what the team knows in the agent’s words', async () => {
  vi.useFakeTimers({ now: new Date(2026, 4, 4, 15, 0), toFake: ['Date'] });
  const at = new Date(2026, 4, 4, 10, 14).toISOString();
  const yesterday = new Date(2026, 4, 3, 9, 30).toISOString();
  answer = () => ({
    ...{ names, count: 1, lastTalk: { by: 'Rui', at: yesterday, seconds: 240 } },
    ...{ doNotCall: { by: 'Rui', at, reason: 'By e-mail.' }, lease: { by: 'Marta', since: at } },
  });
  const [known] = await knownNumbers([ana]);
  expect(asked).toEqual([['+554832221000']]);
  expect(known).toEqual({
    name: 'Ana Prado, Acme',
    lastTalk: expect.stringMatching(/^Rui talked with this number yesterday, 9:30.AM, for 4 min\.$/),
    refusal: expect.stringMatching(/^Asked not to be called\. Rui, today, 10:14.AM\. By e-mail\.$/),
    lease: 'Marta is calling this number.',
  });
});

test.each([
  ['tooManyAttempts', /called this number often enough/],
  ['listTooOld', /list of numbers is out of date/],
] as const)('says before the click that the relay refuses: %s', async (limit, sentence) => {
  answer = () => ({ limit });
  expect((await knownNumbers([ana]))[0]?.refusal).toMatch(sentence);
});

test('asks once a minute for a number, in one request for all', async () => {
  vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
  await knownNumbers([ana, '2201', ana]);
  expect(await knownNumbers([ana])).toEqual([{ name: 'Ana Prado, Acme' }]);
  expect(asked).toEqual([['+554832221000', '2201']]);
  vi.setSystemTime(Date.now() + 61_000);
  await knownNumbers([ana]);
  expect(asked).toHaveLength(2);
});

test('asks for sixty numbers in two requests', async () => {
  const many = Array.from({ length: 60 }, (_, index) => `+55 48 3222-10${index + 10}`);
  expect(await knownNumbers(many)).toHaveLength(60);
  expect(asked.map((numbers) => numbers.length)).toEqual([50, 10]);
});

test('says what is known of each number where the epoch changes between two requests', async () => {
  const many = Array.from({ length: 60 }, (_, index) => `+55 48 3222-10${index + 10}`);
  onAsked = () => {
    epoch = String(asked.length + 1);
  };
  expect((await knownNumbers(many)).every(({ name }) => name === 'Ana Prado, Acme')).toBe(true);
});

test('forgets what it knew with the relay’s next epoch', async () => {
  const changed = vi.fn();
  onKnownNumbersChanged(changed);
  await knownNumbers([ana]);
  applyNamesEvent({ epoch: '1' });
  expect(changed).not.toHaveBeenCalled();
  answer = () => ({});
  applyNamesEvent({ epoch: '2' });
  expect(changed).toHaveBeenCalledOnce();
  epoch = '2';
  expect(await knownNumbers([ana])).toEqual([{}]);
});

test('keeps names while leases change, but asks for the leases again', async () => {
  const at = new Date().toISOString();
  answer = (number) => ({
    ...{ names, count: 1, lastTalk: { by: 'Rui', at, seconds: 60 }, limit: 'tooManyAttempts' },
    ...(number.length > 5 ? {} : { doNotCall: { by: 'Rui', at } }),
  });
  await knownNumbers([ana, '2201']);
  expect(nameWhileAsking(ana)).toBeUndefined();
  applyNamesEvent({ epoch: '2', leasesOnly: true });
  expect(nameWhileAsking(ana)).toEqual({ name: 'Ana Prado, Acme' });
  expect(refusalOfKnown(ana, undefined)).toBeUndefined();
  expect(nameWhileAsking('2201')?.refusal).toMatch(/^Asked not to be called/);
  expect(asked).toHaveLength(1);
  epoch = '2';
  answer = () => ({ names, count: 1, lease: { by: 'Marta', since: at } });
  expect((await knownNumbers([ana]))[0]).toMatchObject({ lease: 'Marta is calling this number.' });
  expect(asked).toHaveLength(2);
  expect(nameWhileAsking(ana)).toBeUndefined();
  applyNamesEvent({ epoch: '3' });
  expect(nameWhileAsking(ana)).toBeUndefined();
});

test('does not remember an answer that an event may have outdated', async () => {
  vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
  onAsked = () => applyNamesEvent({ epoch: '2', leasesOnly: true });
  expect(await knownNumbers([ana])).toEqual([{ name: 'Ana Prado, Acme' }]);
  onAsked = () => {};
  vi.setSystemTime(Date.now() + 1001);
  epoch = '2';
  answer = () => ({ names, count: 1, lease: { by: 'Marta', since: new Date().toISOString() } });
  const [known] = await knownNumbers([ana]);
  expect(known).toMatchObject({ lease: 'Marta is calling this number.' });
  expect(asked).toHaveLength(2);
  await knownNumbers([ana]);
  expect(asked).toHaveLength(2);
});

test('knows nothing where the relay does not answer, but asks again', async () => {
  isDown = true;
  expect(await knownNumbers([ana])).toEqual([{}]);
  isDown = false;
  expect(await knownNumbers([ana])).toEqual([{ name: 'Ana Prado, Acme' }]);
});

test.each([
  [ana, '+554832221000'],
  ['2201', '2201'],
  ['not a number', ''],
  ['+0 12 345', ''],
])('the relay gets %j as %j', (display, number) => {
  expect(numberFromDisplay(display)).toBe(number);
});

test('remembers why a number must not be called, for the click on it', async () => {
  answer = () => ({ doNotCall: { by: 'Rui', at: new Date().toISOString() } });
  expect(refusalOfKnown(ana, undefined)).toBeUndefined();
  await knownNumbers([ana]);
  expect(refusalOfKnown(ana, undefined)).toMatch(/^Asked not to be called\. Rui, today/);
});

test('says that it is too late at the callee, whatever the relay knows of the number', async () => {
  await knownNumbers([ana]);
  const always = { days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', to: '24:00' };
  const never = { ...always, to: '00:00' };
  const rules = (hours: Rules['callingHours']) => ({ ...defaultRules, callingHours: hours });
  expect(refusalOfKnown('+351 21 123 4567', rules({ PT: never }))).toBe(
    'It is too early or too late there now. Calls are allowed 00:00–00:00 there, on the days that your team chose.',
  );
  expect(refusalOfKnown('+351 21 123 4567', rules({ PT: always, other: never }))).toBeUndefined();
  expect(refusalOfKnown('2201', rules({ other: never }))).toBeUndefined();
});

test('goes by the relay’s clock where the agent’s is wrong', async () => {
  const days = [0, 1, 2, 3, 4, 5, 6];
  const rules = { ...defaultRules, callingHours: { PT: { days, from: '09:00', to: '20:00' } } };
  const refusalAt = async (own: string, relays: string | undefined) => {
    vi.useFakeTimers({ now: new Date(own), toFake: ['Date'] });
    relayTime = relays === undefined ? undefined : new Date(relays);
    forgetKnownNumbers();
    await knownNumbers(['+351 21 123 4567']);
    return refusalOfKnown('+351 21 123 4567', rules);
  };
  expect(await refusalAt('2026-01-05T22:00:00Z', '2026-01-05T17:00:00Z')).toBeUndefined();
  expect(await refusalAt('2026-01-05T17:00:00Z', '2026-01-05T22:00:00Z')).toMatch(
    /^It is too early or too late/,
  );
});

test('leaves the hours to a relay whose clock is not known', async () => {
  vi.resetModules();
  const { refusalOfKnown } = await import('./known-numbers.ts');
  const never = { days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', to: '00:00' };
  expect(
    refusalOfKnown('+351 21 123 4567', { ...defaultRules, callingHours: { PT: never } }),
  ).toBeUndefined();
});
