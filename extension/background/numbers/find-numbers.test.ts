import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { contentMessages, type FoundNumber } from '../../messages/content.ts';
import { Settings } from '../../settings.ts';

let settings = Settings.parse({});
settings.numbers = { country: 'BR', areaCode: '48', extensions: [], dialRules: [] };
/** Changes the settings while numbers are being judged. */
const beforeRules = vi.fn();
const notifySettingsChanged = vi.hoisted(() => new Set<() => void>());
vi.mock('../calls/team-rules.ts', () => ({
  onRulesChanged: () => {},
  teamRules: async () => beforeRules(),
}));
vi.mock('../../text.ts', () => ({
  text: (key: string) => key,
  isTextKey: () => true,
  countryName: (code: string) => new Intl.DisplayNames('en', { type: 'region' }).of(code),
}));
vi.mock('../settings/settings-store.ts', () => ({
  onSettingsChanged: (listener: () => void) => notifySettingsChanged.add(listener),
  readSettings: async () => ({ settings }),
}));
const { findNumbers } = await import('./find-numbers.ts');
const { resolve } = await import('../../../shared/numbers/dial/resolve.ts');

test('the end of a number is found at its own place with the digits of the whole number', async () => {
  const page = 'fone 3456-7890/7891';
  const [[, found]] = (await findNumbers([page], {})) as [[unknown, FoundNumber]];
  expect(found).toMatchObject({
    start: 15,
    end: 19,
    source: { text: '7891', whole: '3456-7891' },
    number: { to: '4834567891' },
  });
  const { source, shown } = contentMessages['content.dial'].request.parse({
    click: 'A'.repeat(22),
    source: found.source,
    shown: { display: '+55 48 3456-7891', to: '4834567891' },
  });
  expect(resolve({ kind: 'page', number: source }, settings, { now: new Date() })).toMatchObject({
    digits: { to: shown.to },
    number: { display: shown.display },
  });
});

test('the same end behind another number is judged by itself', async () => {
  const ends = await Promise.all(
    ['fone 3456-7890/7891', 'fone 3222-7890/7891'].map((text) => findNumbers([text], {})),
  );
  expect(ends.map(([numbers]) => numbers?.[1]?.number.to)).toEqual(['4834567891', '4832227891']);
});

test('a label decides about bare digits unless the text has its own words', async () => {
  const digits = '48999112233';
  const found = await findNumbers([digits, digits, `Celular ${digits}`, digits], {}, [
    'Telefone comercial',
    'Nº do pedido',
    'Pedido',
    '',
  ]);
  expect(found.map((numbers) => numbers.map(({ start, end }) => [start, end]))).toEqual([
    [[0, 11]],
    [],
    [[8, 19]],
    [[0, 11]],
  ]);
  expect(found[0]![0]!.source.contextWords).toBe('phone');
});

test('a label of any other thing rules bare digits out where a colon marks it as a label', async () => {
  const digits = '48999112233';
  const found = await findNumbers([digits, digits, '(48) 99911-2233', digits], {}, [
    'Votes:',
    'Ana',
    'Votes:',
    'Ana Telefone:',
  ]);
  expect(found.map((numbers) => numbers.length)).toEqual([0, 1, 1, 1]);
  const [twice] = await findNumbers([`Renavam ${digits}`], {}, ['Renavam']);
  expect(twice).toEqual([]);
});

test('a table that goes on in a second text is read by the line of its heads', async () => {
  const heads = 'lote        celular\n';
  const row = '4833221100  4899112233\n';
  const numbersIn = async (texts: string[], labels: string[]) =>
    (await findNumbers(texts, {}, labels)).map((found) => found.map(({ source }) => source.text));
  expect(await numbersIn([heads + row, row], ['', heads])).toEqual([['4899112233'], ['4899112233']]);
});

test("a number that another country writes so is offered as that country's, with where it is", async () => {
  const found = await findNumbers(
    ['Zentrale: 030 901820 (Berlin)', 'Call (415) 555-0132, +1 212 555 0100'],
    {},
  );
  expect(found[0]![0]).toMatchObject({
    number: { display: '+49 30 901820', place: 'Germany', verdict: 'confirm', isDoubtful: true },
  });
  expect(found[1]![0]).toMatchObject({
    number: { display: '+1 415-555-0132', to: '0014155550132', verdict: 'confirm' },
  });
  expect(found[1]![1]!.number.isDoubtful).toBeUndefined();
});

test('judges again what was being judged when the settings changed', async () => {
  const before = settings;
  const shownNumber = async () => (await findNumbers(['Tel. 3322-4455'], {}))[0]![0]?.number.display;
  beforeRules.mockImplementationOnce(() => {
    settings = { ...before, numbers: { ...before.numbers, areaCode: '51' } };
    for (const listener of notifySettingsChanged) listener();
  });
  await shownNumber();
  expect(await shownNumber()).toBe('+55 51 3322-4455');
  settings = before;
});
