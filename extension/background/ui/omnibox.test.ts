/** Calls by name from the address bar: no driver types there, so the browser's events are fired here. */
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answerKey, numberId, resolve } from '../../../shared/numbers/dial/resolve.ts';
import { eventually } from '../../../testing/eventually.ts';
import browser from '../../../testing/extension/browser-api.ts';
import { ok, refuse } from '../../messages/result.ts';
import type { PersonView } from '../../messages/views.ts';
import { chooseLanguage, text } from '../../text.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.stubGlobal('__BROWSER__', 'chrome');

/** As the directory has them: null where no relay can be asked, undefined where it does not answer. */
let people: PersonView[] | null | undefined = [];
/** Until then no search for people has its result. */
let found = Promise.resolve();
vi.mock('../numbers/find-people.ts', () => ({
  findPeople: async () => {
    await found;
    return people === undefined ? refuse('relayOffline') : ok(people);
  },
}));

interface Suggestion {
  content: string;
  description: string;
}
type OnInput = (input: string, suggest: (results: Suggestion[]) => void) => void;
let type!: OnInput;
let enter!: (input: string) => void;
let described = '';
const opened: string[] = [];
Object.assign(browser, {
  omnibox: {
    setDefaultSuggestion: ({ description }: Suggestion) => {
      described = description;
    },
    onInputChanged: { addListener: (listener: OnInput) => (type = listener) },
    onInputEntered: { addListener: (listener: typeof enter) => (enter = listener) },
  },
});
vi.mock('./call-page.ts', () => ({ openCallPage: async (input: string) => void opened.push(input) }));
const { wireOmnibox } = await import('./omnibox.ts');
const { forgetReadings, rememberReading } = await import('../numbers/chosen-readings.ts');
const { readSettings, updateSettings } = await import('../settings/settings-store.ts');

const suggestionsFor = (input: string) => new Promise<Suggestion[]>((resolve) => type(input, resolve));
const ana: PersonView = {
  name: 'Ana Prado',
  organisation: 'Acme',
  label: 'work',
  display: '+55 48 3222-1000',
};

beforeEach(() => {
  chooseLanguage('en');
  opened.length = 0;
  people = [ana];
  wireOmnibox();
});

test("hints at what to type in the agent's language before the background has chosen it", async () => {
  const use = (language: 'es' | '') =>
    updateSettings((own) => ({ ...own, appearance: { ...own.appearance, language } }));
  await use('es');
  chooseLanguage('en');
  wireOmnibox();
  await eventually(() => expect(described).toMatch(/^Llamar a un teléfono/));
  await use('');
});

test('suggests people of a name, each with the number that Enter calls', async () => {
  const [suggestion] = await suggestionsFor('ana');
  expect(suggestion).toEqual({ content: ana.display, description: 'Ana Prado, Acme, +55 48 3222-1000' });
  enter(suggestion!.content);
  expect(opened).toEqual([ana.display]);
});

test('suggests six people at most, their names as text', async () => {
  people = Array.from({ length: 9 }, () => ({ ...ana, name: '<b>Ana</b> & "co"' }));
  const suggestions = await suggestionsFor('ana');
  expect(suggestions).toHaveLength(6);
  expect(suggestions[0]!.description).toMatch(/^&#60;b&#62;Ana&#60;\/b&#62; &#38; &#34;co&#34;, Acme/);
});

describe('in Firefox', () => {
  beforeEach(async () => {
    vi.stubGlobal('__BROWSER__', 'firefox');
    vi.resetModules();
    (await import('./omnibox.ts')).wireOmnibox();
    await eventually(() => expect(described).toMatch(/^Call a phone number/));
  });
  afterEach(() => {
    vi.stubGlobal('__BROWSER__', 'chrome');
    vi.resetModules();
  });

  test('names are shown as they are: it reads no XML', async () => {
    people = [{ ...ana, name: "Ana O'Brien", organisation: 'Prado & Co' }];
    const [suggestion] = await suggestionsFor('ana');
    expect(suggestion!.description).toMatch(/^Ana O'Brien, Prado & Co,/);
  });

  // It shows the default suggestion that was set before the input.
  test('the default suggestion keeps the hint, beside what Enter does with the input', async () => {
    expect(await suggestionsFor('(48) 3222-1000 ')).toEqual([
      { content: '(48) 3222-1000  ', description: expect.stringMatching(/^Call .*3222-1000$/) },
    ]);
    people = [];
    expect(await suggestionsFor('ana')).toEqual([{ content: 'ana ', description: 'Nothing found.' }]);
    expect(described).toMatch(/^Call a phone number/);
  });
});

test.each([
  ['no one has it', [], 'Nothing found.'],
  ['the relay is away', undefined, 'The relay does not answer. Check your network, then try again.'],
  ['no relay is set up', null, text('people_needRelay')],
])('says why it suggests nothing for a name where %s', async (_why, found, sentence) => {
  people = found;
  expect(await suggestionsFor('ana')).toEqual([]);
  expect(described).toBe(sentence);
});

test('describes a number as the call that Enter places', async () => {
  expect(await suggestionsFor('(48) 3222-1000')).toEqual([]);
  expect(described).toContain('3222-1000');
});

test('describes a number of a doubtful country by the reading that the agent chose before', async () => {
  const source = { kind: 'typed', text: '030 901820' } as const;
  await suggestionsFor(source.text);
  expect(described).toBe('Call +49 30 901820');
  const { settings } = await readSettings();
  const resolved = resolve(source, settings, { now: new Date() });
  const [local] = 'why' in resolved ? [] : resolved.alternatives;
  await rememberReading(answerKey(source, settings.numbers), numberId(local!.number));
  await suggestionsFor(source.text);
  expect(described).toBe('Call 030 901820');
  await forgetReadings();
});

test('describes a number that is never called by the reason', async () => {
  await suggestionsFor('190');
  expect(described).toBe('190: Emergency numbers are never called from here: use your phone.');
});

test('describes no earlier input while people are searched for', async () => {
  await suggestionsFor('(48) 3222-1000');
  let find = () => {};
  found = new Promise((resolve) => {
    find = resolve;
  });
  const suggested = suggestionsFor('ana');
  expect(described).toBe('Loading…');
  find();
  expect(await suggested).toHaveLength(1);
});

test('a late result for a name replaces nothing that was typed since', async () => {
  let find = () => {};
  found = new Promise((resolve) => {
    find = resolve;
  });
  const suggested: Suggestion[][] = [];
  type('ana', (results) => suggested.push(results));
  await suggestionsFor('+55 48 3222-1000');
  find();
  await new Promise((resolve) => setTimeout(resolve));
  expect(described).toBe('Call +55 48 3222-1000');
  expect(suggested).toEqual([]);
});
