/** From an installed extension to the first call, as an agent goes there with a setup code. */
import { Settings } from '../extension/settings.ts';
import { encodeSetupCode } from '../shared/protocol/setup-code.ts';
import { ask, ownPage, readyToDial, resetExtension } from '../testing/extension/ask-background.ts';
import { axeViolations } from '../testing/extension/axe.ts';
import { callsFinished, clickNumber } from '../testing/extension/marked-numbers.ts';
import { agent } from '../testing/extension/options-page.ts';
import { startWalk } from '../testing/first-call-walk.ts';
import { until } from '../testing/until.ts';
import type { Workstation } from '../testing/workstation.ts';
import { expect, test } from './fixtures.ts';

/** As right after the installation. */
async function forgetEverything(workstation: Workstation): Promise<void> {
  await resetExtension(workstation);
  const page = await ownPage(workstation);
  await readyToDial(page);
  await ask(page, { type: 'page.forgetHistory' });
  for (const name of ['agentKey', 'serviceToken'])
    await ask(page, { type: 'page.setSecret', name, value: null });
  await ask(page, { type: 'page.saveSettings', settings: Settings.parse({}) });
  await page.close();
}

test('the walk of the agent: from installing to the first call', async ({ workstation, tab }) => {
  const { browser, relay, sandbox } = workstation;
  await forgetEverything(workstation);
  const code = encodeSetupCode({ relayUrl: relay.url, callers: [agent], key: workstation.key });
  const open = (page: string) =>
    browser.newTab(`${browser.extensionOrigin}/extension/pages/${page}/index.html`);

  const walk = startWalk('agent');
  const welcome = await open('welcome');
  const step = (index: number) => welcome.attribute(`.steps li:nth-child(${index})`, 'data-done');
  await until(() => welcome.count('#setup-code'), 'the field of the setup code');
  expect([await step(1), await step(2), await step(3)]).toEqual(['false', 'false', 'false']);
  const onWelcome = walk.counting(welcome);
  await onWelcome.click('#setup-code');
  await welcome.fill('#setup-code', code);
  walk.add('pastes');
  await until(() => welcome.count('#use-setup-code'), 'what the code holds');
  expect(await welcome.text('#setup-question')).toContain(relay.url);
  expect(await welcome.text('main')).not.toContain(workstation.key);
  expect(await axeViolations(welcome)).toEqual([]);
  await browser.allowHost(new URL(relay.url).hostname);
  await onWelcome.click('#use-setup-code');
  await until(async () => (await step(1)) === 'true', 'the tested connection');
  expect(await welcome.text('#connection-state')).toContain('accepts your key');

  // The toolbar's button, and the switch in the popup that it opens; here the popup is a tab in the back.
  const popup = await open('popup');
  walk.add('clicks', 2);
  await browser.allowHost('127.0.0.1');
  await tab.goto(`${sandbox.url}/crm/`);
  await tab.activate();
  await until(async () => (await popup.text('.site .host')) === '127.0.0.1', 'the site of the page');
  await popup.evaluate(`document.querySelector('#enable-site').click()`);
  await until(async () => (await step(2)) === 'true', 'the site');
  const before = sandbox.calls.length;
  await clickNumber(walk.counting(tab), '11 3350-4188');
  await until(() => sandbox.calls.length > before, 'the call');
  expect(sandbox.calls[before]!.fields).toMatchObject({ from: agent, to: '1133504188' });
  await walk.end(browser.name);

  await until(async () => (await step(3)) === 'true', 'the placed call');
  await popup.close();
  await welcome.close();
  await callsFinished(workstation);
});
