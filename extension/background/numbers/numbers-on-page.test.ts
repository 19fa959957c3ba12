import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { defaultRules } from '../../../shared/protocol/rules.ts';
import { recordAt } from '../../../shared/record/template.ts';
import { Settings } from '../../settings.ts';

const settings = Settings.parse({});
settings.numbers = { country: 'BR', areaCode: '48', extensions: [], dialRules: [] };
const listed = vi.fn();
const tabAddress = vi.fn(() => 'https://kunde.de/list');
vi.mock('webextension-polyfill', () => ({
  default: {
    tabs: { sendMessage: () => listed(), get: async () => ({ url: tabAddress() }) },
  },
}));
const template = { system: 'rt', origin: 'https://kunde.de', pattern: '/t/{id}', kind: 'ticket' };
const otherTemplate = { ...template, origin: 'https://other.example' };
const templates = [otherTemplate, template];
vi.mock('../calls/team-rules.ts', () => ({
  onRulesChanged: () => {},
  teamRules: async () => ({ ...defaultRules, templates }),
  recordAtAddress: async (address: string) => recordAt(address, templates),
}));
vi.mock('../../text.ts', () => ({
  isTextKey: () => true,
  text: (key: string) => key,
  countryName: (code: string) => code,
}));
vi.mock('../settings/settings-store.ts', () => ({
  onSettingsChanged: () => {},
  readSettings: async () => ({ settings }),
}));
let frames: object[] | undefined;
beforeEach(() => {
  frames = [{ frameId: 0, result: ['text/html', 'https://kunde.de/', 'https://kunde.de'] }];
});
vi.mock('../sites/in-frames.ts', () => ({ inFrames: async () => frames }));

const { extensionPattern, numbersOnPage } = await import('./numbers-on-page.ts');
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

test('a page without a readable frame is not one without numbers', async () => {
  listed.mockResolvedValue([]);
  expect(await numbersOnPage(1)).toEqual([]);
  frames = [{ frameId: 0, result: ['application/pdf', 'https://kunde.de/a.pdf', 'https://kunde.de'] }];
  expect(await numbersOnPage(1)).toBeNull();
  frames = undefined;
  listed.mockRejectedValue(new Error('Could not establish connection.'));
  expect(await numbersOnPage(1)).toBeNull();
});

test('judges the numbers of the list with the hints of the page, as the marks are', async () => {
  const topLevelDomain = topLevelDomainOf('https://kunde.de/');
  const [found] = await findNumbers(['Zentrale 030 901820'], { topLevelDomain, lang: 'de' });
  const { source, number } = found![0]!;
  listed.mockResolvedValue([
    { source, context: 'Zentrale', links: ['https://kunde.de/', 'https://kunde.de/t/7'] },
  ]);
  expect(number).toMatchObject({ display: '+49 30 901820', isDoubtful: true });
  expect(await numbersOnPage(1)).toEqual([
    {
      source,
      host: 'kunde.de',
      ...{ context: 'Zentrale', name: 'Zentrale' },
      number,
      record: { system: 'rt', kind: 'ticket', id: '7' },
    },
  ]);
});

test("a label of telephones is listed as the number's label, not as a name", async () => {
  const source = { text: '(48) 3222-1000', contextWords: 'none' };
  listed.mockResolvedValue([{ source, context: '\nCelular', links: [] }]);
  expect(await numbersOnPage(1)).toMatchObject([{ context: 'Celular', name: undefined }]);
});

test('lists a number once, however often frames show it', async () => {
  const source = { text: '(48) 3222-1000', contextWords: 'none' };
  const other = { text: '+55 48 3222-1000', contextWords: 'none' };
  listed.mockResolvedValue([
    { source, context: 'Ana', links: [] },
    { source: other, context: 'Bia', links: [] },
    { source: { text: '12', contextWords: 'none' }, context: '', links: [] },
  ]);
  expect(await numbersOnPage(1)).toMatchObject([{ context: 'Ana' }]);
});

test('lists the first numbers of a page that has more than a list holds', async () => {
  listed.mockResolvedValue(
    Array.from({ length: 230 }, (_, index) => ({
      source: { text: `(48) 3222-${1000 + index}`, contextWords: 'none' },
      ...{ context: '', links: [] },
    })),
  );
  const numbers = await numbersOnPage(1);
  expect(numbers).toHaveLength(200);
  expect(numbers![0]!.number.display).toBe('+55 48 3222-1000');
});

const own = 'https://kunde.de';
test.each([
  ['one link to a record', `${own}/list`, [`${own}/list?sort=2`, `${own}/t/7`], '7'],
  ['two links to one record', `${own}/list`, [`${own}/t/7`, `${own}/t/7?edit=1`], '7'],
  ['links to two records', `${own}/list`, [`${own}/t/7`, `${own}/t/8`], undefined],
  ['a link to a record of another origin', `${own}/list`, ['https://other.example/t/7'], undefined],
  ['no link', `${own}/list`, [], undefined],
  ['a link to another record than its page', `${own}/t/1`, [`${own}/t/7`], '1'],
])('a number whose row has %s', async (_what, address, links, id) => {
  tabAddress.mockReturnValue(address);
  listed.mockResolvedValue([
    { source: { text: '(48) 3222-1000', contextWords: 'none' }, context: 'Ana', links },
  ]);
  expect((await numbersOnPage(1))?.[0]?.record?.id).toBe(id);
});
