/** What an organisation sets by policy holds, is shown as its own, and gives nothing away. */
import type { HistoryPage, PanelState, SettingsView } from '../extension/messages/views.ts';
import type { Tab, TestBrowser } from '../testing/browsers/browser.ts';
import { ask } from '../testing/extension/ask-background.ts';
import { launchWithPolicy } from '../testing/extension/launch-under-policy.ts';
import { until } from '../testing/until.ts';
import { expect, test } from './fixtures.ts';

const policy = {
  connection: { mode: 'relay', relayUrl: 'https://relay.example', direct: { method: 'telepathy' } },
  agent: { timeout: 20 },
  numbers: { country: 'US', extensions: ['_1XXX'] },
  secrets: { agentKey: 'policy-agent-key' },
};

let browser: TestBrowser;
let page: Tab;
const settingsView = async () => (await ask<SettingsView>(page, { type: 'page.settings' })).value;
// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function wants from its first parameter.
test.beforeAll(async ({}, worker) => {
  browser = await launchWithPolicy(worker.project.name, policy);
  page = await browser.newTab(`${browser.extensionOrigin}/extension/pages/call/index.html`);
  // Chromium may learn of a policy after it started.
  await until(async () => (await settingsView()).locked.length > 0, 'the policy', 90_000);
});
test.afterAll(() => browser.close());

test('locks managed values, names an invalid one, keeps them when settings are saved', async () => {
  const view = await settingsView();
  expect(view.settings.connection).toMatchObject({ mode: 'relay', relayUrl: 'https://relay.example' });
  expect(view.settings.numbers).toMatchObject({ country: 'US', extensions: ['_1XXX'] });
  expect([...view.locked].sort()).toEqual([
    'agent.timeout',
    'connection.mode',
    'connection.relayUrl',
    'numbers.country',
    'numbers.extensions',
  ]);
  expect(view.managedProblems.map(({ path }) => path)).toContain('connection.direct.method');

  const settings = structuredClone(view.settings);
  settings.connection.relayUrl = 'https://mine.example';
  settings.agent.from = '1105';
  const saved = await ask<SettingsView>(page, { type: 'page.saveSettings', settings });
  expect(saved.value.settings.connection.relayUrl).toBe('https://relay.example');
  expect(saved.value.settings.agent.from).toBe('1105');
});

test('uses a managed secret only where content scripts cannot read it', async () => {
  const value = await settingsView();
  expect(JSON.stringify(value)).not.toContain('policy-agent-key');
  if (browser.name === 'chromium') expect(value.secrets.agentKey).toBe('managed');
  else {
    expect(value.secrets.agentKey).toBe('none');
    expect(value.managedProblems.map(({ path }) => path)).toContain('secrets');
  }
});

test('without the permission for the relay, every page shows Allow instead of a placed call', async () => {
  // Firefox takes no key from a policy.
  await ask(page, { type: 'page.setSecret', name: 'agentKey', value: 'dma_of_the_agent' });
  expect((await ask<PanelState>(page, { type: 'page.state' })).value.problem).toBe('noPermission');
  for (const path of [
    'popup/index.html',
    'call/index.html?u=tel:+12127365000',
    'welcome/index.html',
    'options/index.html',
  ]) {
    const tab = await browser.newTab(`${browser.extensionOrigin}/extension/pages/${path}`);
    await until(() => tab.count('#allow-hosts'), `the button on ${path}`);
    expect(await tab.text('#host-permission')).toContain('relay.example');
    await tab.close();
  }
  const click = 'A'.repeat(22);
  const placed = await ask(page, { type: 'page.dial', click, input: '+1 212 736 5000' });
  expect(placed.error).toEqual({ code: 'noPermission', detail: 'relay.example' });
  expect((await ask<HistoryPage>(page, { type: 'page.history' })).value.entries).toEqual([]);
});
