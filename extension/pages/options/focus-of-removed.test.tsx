// @vitest-environment jsdom
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import { withValue } from '../../dotted-path.ts';
import { ok } from '../../messages/result.ts';
import type { SettingsView } from '../../messages/views.ts';
import type { SettingsDraft } from './draft.ts';
import { exampleSettings } from './example-settings.ts';
import type { SettingsForm } from './settings-form.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
let isAllowed = true;
vi.mock('./use-allowed.ts', () => ({ useAllowed: () => isAllowed }));
vi.mock('../parts/host-permission.ts', () => ({ requestOrigins: async () => true }));
let reply: SettingsView;
vi.mock('../parts/send-request.ts', () => ({ sendRequest: async () => ok(reply) }));
const { CountryListField } = await import('./country-list-field.tsx');
const { DialRulesEditor } = await import('./dial-rules-editor.tsx');
const { SitesSection } = await import('./sites-section.tsx');
const { FormContext } = await import('./settings-form.ts');

const rules = ['first', 'second', 'third'].map((note) => ({ note, when: {} }));
const viewOf = (sites: object) => ({
  settings: { ...exampleSettings(), sites: { ...exampleSettings().sites, enabled: [], ...sites } },
  ...{ locked: [], missingPermission: [] },
});
let replace: (view: ReturnType<typeof viewOf>) => void;
function Form({ sites = {} }: { sites?: object }) {
  const [draft, setDraft] = useState(
    withValue(exampleSettings() as unknown as SettingsDraft, 'numbers.dialRules', rules),
  );
  const [countries, setCountries] = useState(['BR', 'PT']);
  const [view, replaceView] = useState(viewOf(sites));
  const change = (values: object) => {
    for (const [path, value] of Object.entries(values)) setDraft(withValue(draft, path, value));
  };
  replace = replaceView;
  const form = { draft, problems: new Map(), view, change, replaceView };
  return (
    <FormContext.Provider value={form as unknown as SettingsForm}>
      <CountryListField id="allowed" label="Allowed" value={countries} onChange={setCountries} />
      <DialRulesEditor />
      <section id="sites-section" tabIndex={-1}>
        <SitesSection />
      </section>
    </FormContext.Provider>
  );
}
const open = (sites?: object) => act(async () => render(<Form {...(sites && { sites })} />, document.body));
const focusedLabel = () => document.activeElement!.getAttribute('aria-label') ?? document.activeElement!.id;
const pressFocused = () => act(async () => (document.activeElement as HTMLElement).click());
const press = async (list: string, nth: number) => {
  document.querySelectorAll<HTMLElement>(`${list} .remove-row`)[nth]!.focus();
  const label = focusedLabel();
  await pressFocused();
  expect(document.activeElement).not.toBe(document.body);
  return label;
};
afterEach(() => render(null, document.body));
const pressLabelled = async (label: string) => {
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === label)!.focus();
  await pressFocused();
};

test('the focus goes from a removed country to the next one, at last to the list of countries', async () => {
  await open();
  const first = await press('.chips', 0);
  expect(focusedLabel()).not.toBe(first);
  expect(document.activeElement!.closest('.chips')).not.toBeNull();
  await pressFocused();
  expect(focusedLabel()).toBe('allowed');
});

test('the focus goes from a removed dial rule to the one before, at last to the add button', async () => {
  await open();
  await press('#dial-rules', 2);
  expect(document.activeElement!.closest('.rule')!.textContent).toContain('second');
  await pressFocused();
  await pressFocused();
  expect(focusedLabel()).toBe('add-rule');
});

test('the focus goes from a removed site to the next one, at last to the field that adds one', async () => {
  await open({ enabled: ['crm.example'], blocked: ['bank.example'] });
  reply = viewOf({ blocked: ['bank.example'] }) as unknown as SettingsView;
  await press('#sites', 0);
  expect(document.activeElement!.closest('li')!.dataset.state).toBe('blocked');
  reply = viewOf({}) as unknown as SettingsView;
  await pressFocused();
  expect(focusedLabel()).toBe('site-host');
});

test('the focus goes from a number that is marked again to the next one, at last to their title', async () => {
  const excludedNumbers = ['+15550100', '+15550101'].map((number) => ({ host: 'crm.example', number }));
  await open({ excludedNumbers });
  reply = viewOf({ excludedNumbers: excludedNumbers.slice(1) }) as unknown as SettingsView;
  await press('#excluded-numbers', 0);
  expect(document.activeElement!.closest('#excluded-numbers')).not.toBeNull();
  reply = viewOf({}) as unknown as SettingsView;
  await pressFocused();
  expect(focusedLabel()).toBe('excluded-numbers-title');
});

test.each(['add-site', 'block-site'])('the focus goes from %s to the field for another site', async (id) => {
  await open();
  reply = viewOf({}) as unknown as SettingsView;
  const field = document.querySelector<HTMLInputElement>('#site-host')!;
  await act(async () => {
    field.value = 'crm.example';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
  document.getElementById(id)!.focus();
  await pressFocused();
  expect(focusedLabel()).toBe('site-host');
});

test('the focus stays in the row of a site whose permission is given', async () => {
  const sites = { enabled: ['one.example', 'crm.example'] };
  await open(sites);
  await act(() => replace({ ...viewOf(sites), missingPermission: ['crm.example'] } as never));
  await pressLabelled('Allow');
  await act(() => replace(viewOf(sites)));
  expect(focusedLabel()).toBe('Remove crm.example');
});

test.each([
  ['the setting that it is for', [], 'everywhere'],
  ['the section where a policy has set it', ['sites.everywhere'], 'sites-section'],
])('the focus goes from the permission for all sites to %s', async (_, locked, id) => {
  const view = { ...viewOf({ everywhere: true }), locked } as never;
  isAllowed = false;
  await open();
  await act(() => replace(view));
  await pressLabelled('Allow');
  isAllowed = true;
  await act(() => replace({ ...(view as object) } as never));
  expect(focusedLabel()).toBe(id);
});
