// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import type { DialRule } from '../../../shared/numbers/number-settings.ts';
import { encodeSetupCode } from '../../../shared/protocol/setup-code.ts';
import { valueAt } from '../../dotted-path.ts';
import { ok, type Result, refuse } from '../../messages/result.ts';
import type { SettingsView } from '../../messages/views.ts';
import { exampleSettings } from './example-settings.ts';

const view = {
  settings: exampleSettings(),
  ...{ locked: [], managedProblems: [], missingPermission: [], marksAnySite: true },
  secrets: { agentKey: 'none', serviceToken: 'none' },
} satisfies SettingsView;
let shown: SettingsView;
/** The reply to the next save, which may take long. */
let saveReply: Promise<Result<SettingsView>> | undefined;
const sent = vi.hoisted((): [type: string, fields: Record<string, unknown>][] => []);
const event = vi.hoisted(() => ({ addListener() {}, removeListener() {} }));
vi.mock('webextension-polyfill', () => ({ default: { runtime: { onMessage: event } } }));
vi.mock('../parts/send-request.ts', () => ({
  sendRequest: async (type: string, fields: Record<string, unknown>) => {
    if (type !== 'page.settings') sent.push([type, fields]);
    return (type === 'page.saveSettings' && (await saveReply)) || ok(shown);
  },
}));
const { useSettingsForm } = await import('./settings-form.ts');

let form: ReturnType<typeof useSettingsForm>;
function Form() {
  form = useSettingsForm(shown);
  return null;
}
const key = `dma_${'x'.repeat(43)}`;
const paste = (typed: string) => act(() => form.setSetupEntry({ typed, from: '' }));
const codeFor = (callers: string[]) =>
  encodeSetupCode({ relayUrl: 'https://new.example.com', callers, key, country: 'BR', areaCode: '48' });

async function open(settings: SettingsView) {
  shown = settings;
  saveReply = undefined;
  sent.length = 0;
  await act(() => render(<Form />, document.createElement('div')));
}
beforeEach(() => open(view));

const managed = (relayUrl: string): SettingsView => ({
  ...view,
  settings: { ...view.settings, connection: { ...view.settings.connection, relayUrl } },
  locked: ['connection.relayUrl', 'numbers.country'],
});

test('Save applies a setup code that was pasted but not used', async () => {
  await paste(codeFor(['1207']));
  expect(form.unsaved).toBe(true);
  shown = { ...managed('https://new.example.com'), locked: [] };
  await act(() => form.save());
  expect(sent[0]).toMatchObject([
    'page.saveSettings',
    {
      settings: {
        connection: { mode: 'relay', relayUrl: 'https://new.example.com' },
        agent: { from: '1207' },
        numbers: { country: 'BR', areaCode: '48' },
      },
    },
  ]);
  expect(sent[1]).toEqual(['page.setSecret', { name: 'agentKey', value: key }]);
  expect(form.setupEntry.typed).toBe('');
});

test('a setup code fills in what the organisation left open', async () => {
  await open(managed('https://new.example.com'));
  await paste(codeFor(['1207']));
  await act(() => form.save());
  expect(sent[0]).toMatchObject([
    'page.saveSettings',
    {
      settings: {
        agent: { from: '1207' },
        numbers: { country: view.settings.numbers.country, areaCode: '48' },
      },
    },
  ]);
  expect(sent[1]).toEqual(['page.setSecret', { name: 'agentKey', value: key }]);
});

test('a setup code for another relay than the organisation set gives its key to no relay', async () => {
  await open(managed('https://ours.example.com'));
  await paste(codeFor(['1207']));
  expect(form.problems.get('setupCode')).toBe('setup_otherRelay');
  await act(() => form.save());
  expect(sent).toEqual([]);
});

test.each([
  [codeFor(['1207']).slice(0, -4), 'setup_wrong'],
  [codeFor(['1207', '1208']), 'setup_choose'],
])('Save keeps a setup code that it cannot apply, with the reason', async (typed, problem) => {
  await paste(typed);
  expect(form.problems.get('setupCode')).toBe(problem);
  await act(() => form.save());
  expect(sent).toEqual([]);
  expect(form.setupEntry.typed).toBe(typed);
});

test('what was typed into a field that the organisation then sets is no longer a change', async () => {
  await act(() => form.change({ 'agent.timeout': 0, 'agent.from': '1207' }));
  expect([...form.problems.keys()]).toEqual(['agent.timeout']);
  const agent = { ...view.settings.agent, timeout: 30 };
  await act(() =>
    form.replaceView({ ...view, settings: { ...view.settings, agent }, locked: ['agent.timeout'] }),
  );
  expect(valueAt(form.draft, 'agent.timeout')).toBe(30);
  expect(form.problems.size).toBe(0);
  await act(() => form.save());
  expect(sent[0]![1].settings).toMatchObject({ agent: { timeout: 30, from: '1207' } });
});

test('a secret that the organisation sets after it was typed is no longer a change', async () => {
  await act(() => form.changeSecret('agentKey', key));
  expect(form.unsaved).toBe(true);
  shown = { ...view, secrets: { ...view.secrets, agentKey: 'managed' } };
  await act(() => form.replaceView(shown));
  expect(form.unsaved).toBe(false);
  await paste(codeFor(['1207']));
  await act(() => form.save());
  expect(sent.map(([type]) => type)).toEqual(['page.saveSettings']);
});

test.each([
  ['a policy', ['connection.relayUrl']],
  ['another window', []],
])('a key that was typed for one relay is not saved for another that %s sets', async (_, locked) => {
  await act(() => form.changeSecret('agentKey', key));
  shown = { ...managed('https://other.example.com'), locked };
  await act(() => form.replaceView(shown));
  expect(form.unsaved).toBe(false);
  await act(() => form.save());
  expect(sent.map(([type]) => type)).toEqual(['page.saveSettings']);
});

test('a key is not saved for a relay that a policy sets while the settings are saved', async () => {
  await act(() => form.changeSecret('agentKey', key));
  shown = managed('https://other.example.com');
  await act(() => form.save());
  expect(sent.map(([type]) => type)).toEqual(['page.saveSettings']);
  expect(form.unsaved).toBe(false);
});

test('a typed key goes to the relay that the agent types after it', async () => {
  await act(() => form.changeSecret('agentKey', key));
  await act(() => form.change({ 'connection.relayUrl': 'mine.example.com' }));
  shown = managed('https://mine.example.com');
  await act(() => form.save());
  expect(sent[1]).toEqual(['page.setSecret', { name: 'agentKey', value: key }]);
});

const typedAbroad = { 'numbers.country': 'US', 'numbers.areaCode': '212' };
test.each([
  ['keeps the area code of its country', {}, 'BR', '48'],
  ['takes away the area code of another country', {}, 'PT', undefined],
  ['takes away an area code that was typed for another country', typedAbroad, 'BR', undefined],
] as const)('a setup code %s', async (_, typed, country, areaCode) => {
  const numbers = { ...view.settings.numbers, areaCode: '48' };
  await open({ ...view, settings: { ...view.settings, numbers } });
  await act(() => form.change(typed));
  await paste(encodeSetupCode({ relayUrl: 'https://new.example.com', callers: ['1207'], key, country }));
  await act(() => form.save());
  expect(valueAt(sent[0]![1].settings, 'numbers')).toMatchObject({ country });
  expect(valueAt(sent[0]![1].settings, 'numbers.areaCode')).toBe(areaCode);
});

const withRules = (...dialRules: object[]): SettingsView => ({
  ...view,
  settings: { ...view.settings, numbers: { ...view.settings.numbers, dialRules: dialRules as DialRule[] } },
});
const [mobile, abroad, local] = [
  { when: { prefix: '9' }, prepend: '0' },
  { when: { prefix: '00' }, prepend: '1' },
  { when: { maxLength: 8 }, prepend: '2' },
];

test('what is typed into a dial rule stays with it when another window removes the one before', async () => {
  await open(withRules(mobile, abroad));
  await act(() => form.change({ 'numbers.dialRules.1.prepend': '21' }));
  await act(() => form.change({ 'numbers.dialRules.1.note': 'Abroad' }));
  await act(() => form.replaceView(withRules(abroad)));
  expect(valueAt(form.draft, 'numbers.dialRules')).toEqual([
    { when: { prefix: '00' }, prepend: '21', note: 'Abroad' },
  ]);
  expect(form.unsaved).toBe(true);
});

test.each([
  ['added last in both', [mobile, abroad], [mobile, local], [mobile, local, abroad]],
  [
    'changed there',
    [mobile, abroad, local],
    [{ ...mobile, strip: 1 }],
    [{ ...mobile, strip: 1 }, abroad, local],
  ],
  ['put first there', [mobile, abroad], [local, mobile], [local, mobile, abroad]],
  ['removed there', [mobile, abroad], [], [abroad]],
  ['the same in both', [mobile, abroad], [mobile, abroad], [mobile, abroad]],
])('unsaved dial rules keep what another window saves: %s', async (_, typed, saved, expected) => {
  await open(withRules(mobile));
  await act(() => form.change({ 'numbers.dialRules': typed }));
  await act(() => form.replaceView(withRules(...saved)));
  expect(valueAt(form.draft, 'numbers.dialRules')).toEqual(expected);
});

test('a dial rule that is typed on while it is saved stays one rule', async () => {
  await open(withRules());
  await act(() => form.change({ 'numbers.dialRules': [mobile] }));
  shown = withRules(mobile);
  await act(async () => {
    const saved = form.save();
    form.change({ 'numbers.dialRules.0.prepend': '01' });
    await saved;
  });
  expect(valueAt(form.draft, 'numbers.dialRules')).toEqual([{ ...mobile, prepend: '01' }]);
});

test('what is being saved stays in the form, also if the save fails', async () => {
  await open(withRules());
  let reply: (result: Result<SettingsView>) => void;
  saveReply = new Promise((resolve) => {
    reply = resolve;
  });
  await act(() => form.change({ 'numbers.dialRules': [mobile], 'connection.relayUrl': 'https://b.example' }));
  await act(() => form.changeSecret('agentKey', key));
  let saved: Promise<void>;
  await act(() => {
    saved = form.save();
  });
  await act(async () => {
    reply(refuse('internal'));
    await saved;
  });
  expect(valueAt(form.draft, 'numbers.dialRules')).toEqual([mobile]);
  saveReply = undefined;
  shown = managed('https://b.example');
  await act(() => form.save());
  expect(sent.at(-1)).toEqual(['page.setSecret', { name: 'agentKey', value: key }]);
});

test('a field that was put back follows changes made elsewhere, without unsaved changes here', async () => {
  await act(() => form.change({ 'agent.timeout': 41 }));
  await act(() => form.change({ 'agent.timeout': view.settings.agent.timeout }));
  expect(form.unsaved).toBe(false);
  const { settings } = view;
  const elsewhere = { ...view, settings: { ...settings, agent: { ...settings.agent, timeout: 55 } } };
  await act(() => form.replaceView(elsewhere));
  expect(valueAt(form.draft, 'agent.timeout')).toBe(55);
  expect(form.unsaved).toBe(false);
});

test('a part of a field that was put back stays changed with the rest of its field', async () => {
  const hours = { days: [1], fromMinute: 480, toMinute: 600 };
  const { settings } = view;
  const officeHours = { ...hours, fromMinute: 540 };
  await open({ ...view, settings: { ...settings, guard: { ...settings.guard, officeHours } } });
  await act(() => form.change({ 'guard.officeHours': hours }));
  await act(() => form.change({ 'guard.officeHours.fromMinute': 540 }));
  await act(() => form.change({ 'guard.officeHours.toMinute': 660 }));
  expect(valueAt(form.draft, 'guard.officeHours')).toEqual({ ...officeHours, toMinute: 660 });
});

test('a field that is put back while it is saved is a change of what was saved', async () => {
  await act(() => form.change({ 'agent.timeout': 41 }));
  const { settings } = view;
  shown = { ...view, settings: { ...settings, agent: { ...settings.agent, timeout: 41 } } };
  await act(async () => {
    const saved = form.save();
    form.change({ 'agent.timeout': settings.agent.timeout });
    await saved;
  });
  expect(valueAt(form.draft, 'agent.timeout')).toBe(settings.agent.timeout);
  expect(form.unsaved).toBe(true);
});

test('imported sites that are not saved yet take over what is added or removed at once', async () => {
  const withEnabled = (enabled: string[]): SettingsView => ({
    ...view,
    settings: { ...view.settings, sites: { ...view.settings.sites, enabled } },
  });
  await open(withEnabled(['crm.example.com', 'old.example.com']));
  await act(() => form.change({ 'sites.enabled': ['old.example.com', 'file.example.com'] }));
  await act(() => form.replaceView(withEnabled(['crm.example.com', 'old.example.com', 'new.example.com'])));
  await act(() => form.replaceView(withEnabled(['crm.example.com', 'new.example.com'])));
  expect(valueAt(form.draft, 'sites.enabled')).toEqual(['new.example.com', 'file.example.com']);
  await act(() => form.save());
  expect(sent[0]![1].settings).toMatchObject({
    sites: { enabled: ['new.example.com', 'file.example.com'] },
  });
});
