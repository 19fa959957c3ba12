import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { Settings } from '../../settings.ts';

const settings = Settings.parse({});
settings.numbers = { country: 'BR', areaCode: '48', extensions: [], dialRules: [] };
const listed = vi.fn();
vi.mock('webextension-polyfill', () => ({ default: { tabs: { sendMessage: () => listed() } } }));
vi.mock('../calls/team-rules.ts', () => ({ onRulesChanged: () => {}, teamRules: async () => undefined }));
vi.mock('../../text.ts', () => ({
  isTextKey: () => true,
  text: (key: string) => key,
  countryName: (code: string) => code,
}));
vi.mock('../settings/settings-store.ts', () => ({
  onSettingsChanged: () => {},
  readSettings: async () => ({ settings }),
}));
vi.mock('../sites/in-frames.ts', () => ({
  inFrames: async () => [{ frameId: 0, result: ['https://kunde.de/', 'https://kunde.de'] }],
}));

const { extensionPattern, nameOnPage, numbersOnPage } = await import('./numbers-on-page.ts');
const { findNumbers, topLevelDomainOf } = await import('./find-numbers.ts');
const findExtension = (text: string) => new RegExp(extensionPattern, 'iu').exec(text)?.[0];

test.each([
  ['Fale com a portaria, ramal 2201.', 'ramal 2201'],
  ['Marina Duarte\nRamal: 1105\n', 'Ramal: 1105'],
  ['Front office ext. 301, ask for Ana', 'ext. 301'],
  ['Recepción (interno 450)', 'interno 450'],
])('finds the internal extension in %j', (text, extension) => {
  expect(findExtension(text)).toBe(extension);
});

test.each([
  'Phone (48) 3222-1000 ext. 503',
  '+55 11 3350-4188, ramal 1105',
  'text 2201 and next 300',
  'ramal 48 3222-1000',
  'ext. 12',
  'extension 1.2.3',
])('finds none in %j', (text) => {
  expect(findExtension(text)).toBeUndefined();
});

test('judges the numbers of the list with the hints of the page, as the marks are', async () => {
  const topLevelDomain = topLevelDomainOf('https://kunde.de/');
  const [found] = await findNumbers(['Zentrale 030 901820'], { topLevelDomain, lang: 'de' });
  const { source, number } = found![0]!;
  listed.mockResolvedValue([{ source, context: 'Zentrale' }]);
  expect(number).toMatchObject({ display: '+49 30 901820', isDoubtful: true });
  expect(await numbersOnPage(1)).toEqual([{ source, host: 'kunde.de', context: 'Zentrale', number }]);
});

test('lists a number once, however often frames show it', async () => {
  const source = { text: '(48) 3222-1000', contextWords: 'none' };
  const other = { text: '+55 48 3222-1000', contextWords: 'none' };
  listed.mockResolvedValue([
    { source, context: 'Ana' },
    { source: other, context: 'Bia' },
    { source: { text: '12', contextWords: 'none' }, context: '' },
  ]);
  expect((await numbersOnPage(1)).map(({ context }) => context)).toEqual(['Ana']);
});

test('names a number as its frame lists it', async () => {
  const source = { text: '(48) 3222-1000', contextWords: 'none' as const };
  listed.mockResolvedValue([{ source, context: 'Ana Prado' }]);
  const frame = { id: 1, frameId: 0 };
  expect(await nameOnPage(frame, source)).toBe('Ana Prado');
  expect(await nameOnPage(frame, { ...source, text: '190' })).toBeUndefined();
  listed.mockRejectedValue(new Error('the page is gone'));
  expect(await nameOnPage(frame, source)).toBeUndefined();
});
