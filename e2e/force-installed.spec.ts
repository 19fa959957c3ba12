/** A policy installs the extension and sets values, which are in force and locked for each agent. */
import { readFile } from 'node:fs/promises';
import type { SettingsView } from '../extension/messages/views.ts';
import { encodeSetupCode } from '../shared/protocol/setup-code.ts';
import { projectFile } from '../shared/server/project-file.ts';
import type { TestBrowser } from '../testing/browsers/browser.ts';
import { ask } from '../testing/extension/ask-background.ts';
import { axeViolations } from '../testing/extension/axe.ts';
import { launchForceInstalled } from '../testing/extension/launch-under-policy.ts';
import { startWalk } from '../testing/first-call-walk.ts';
import { until } from '../testing/until.ts';
import { expect, test } from './fixtures.ts';

const samples: Record<string, string> = { chromium: 'chrome-policy.json', firefox: 'firefox-policies.json' };

const walk = startWalk('administrator');
let browserName: string;
let browser: TestBrowser;
// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function wants from its first parameter.
test.beforeAll(async ({}, worker) => {
  browserName = worker.project.name;
  const sample = await readFile(projectFile(`docs/deploy/${samples[browserName]}`), 'utf8');
  walk.add('files');
  browser = await launchForceInstalled(browserName, JSON.parse(sample));
});
test.afterAll(() => browser.close());

test('the walk of the administrator: one file installs, sets up, locks the extension', async () => {
  const options = await browser.newTab(`${browser.extensionOrigin}/extension/pages/options/index.html`);
  // Chromium may hand the values over some seconds after it installed the extension; the open page follows.
  await until(
    async () => (await options.evaluate('document.querySelector("#relay-url")?.disabled')) === true,
    'the values of the policy',
    90_000,
  );
  const shown = await options.evaluate(`(() => {
    const see = (id) => { const field = document.querySelector(id); return [field.type === 'radio' ? field.checked : field.value, field.matches(':disabled')]; };
    return { mode: see('#mode-relay'), relay: see('#relay-url'), timeout: see('#agent-timeout'), country: see('#country'), from: see('#agent-from') };
  })()`);
  expect(shown).toEqual({
    mode: [true, true],
    relay: ['https://relay.example.com', true],
    timeout: ['20', true],
    country: ['BR', true],
    from: ['', false],
  });
  for (const id of ['relay-url', 'agent-timeout', 'country'])
    expect(await options.text(`#${id}-notes`), id).toContain('Set by your organisation');
  expect(await options.text('#agent-from-notes')).not.toContain('organisation');
  expect(await axeViolations(options)).toEqual([]);

  await options.fill('#agent-from', '1105');
  await options.click('#save');
  await until(() => options.count('#saved'), 'the note that settings are saved');
  const { value } = await ask<SettingsView>(options, { type: 'page.settings' });
  expect(value.settings).toMatchObject({
    connection: { mode: 'relay', relayUrl: 'https://relay.example.com' },
    agent: { timeout: 20, from: '1105' },
    numbers: { country: 'BR', areaCode: '48' },
    guard: { premium: 'refuse' },
    sites: { enabled: ['crm.example.com'] },
  });
  expect(options.errors()).toEqual([]);
  await walk.end(browserName);
});

test('opens no first-run page where a policy installs the extension', async () => {
  const open = await Promise.all((await browser.openTabs()).map((tab) => tab.url()));
  expect(open.filter((url) => url.includes('/welcome/'))).toEqual([]);
});

test('the first page takes a setup code for no relay but the one that the policy sets', async () => {
  const welcome = await browser.newTab(`${browser.extensionOrigin}/extension/pages/welcome/index.html`);
  const codeFor = (relayUrl: string) =>
    encodeSetupCode({ relayUrl, callers: ['1207'], key: `dma_${'x'.repeat(43)}` });
  await welcome.fill('#setup-code', codeFor('https://other.example.com'));
  await until(
    async () => (await welcome.text('#setup-code-notes')).includes('another relay'),
    'the refusal of a code for another relay',
  );
  expect(await welcome.count('#use-setup-code')).toBe(0);
  await welcome.fill('#setup-code', codeFor('https://relay.example.com'));
  await welcome.click('#use-setup-code');
  const view = async () => (await ask<SettingsView>(welcome, { type: 'page.settings' })).value;
  await until(async () => (await view()).secrets.agentKey !== 'none', 'the key of the code');
  expect((await view()).settings).toMatchObject({
    connection: { relayUrl: 'https://relay.example.com' },
    agent: { from: '1207' },
  });
  expect(welcome.errors()).toEqual([]);
});
