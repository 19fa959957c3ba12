/** From an installed extension to the first call, as an agent goes there with the setup code of the relay. */
import { type BrowserName, launchBrowser } from '../testing/browsers/launch.ts';
import { ask } from '../testing/extension/ask-background.ts';
import { axeViolations } from '../testing/extension/axe.ts';
import { clickNumber } from '../testing/extension/marked-numbers.ts';
import { agent } from '../testing/extension/options-page.ts';
import { startWalk } from '../testing/first-call-walk.ts';
import { until } from '../testing/until.ts';
import { openWorkstation, type Workstation } from '../testing/workstation.ts';
import { expect, test } from './fixtures.ts';

const combinations = ['en-US', 'de-DE', 'pt-BR'].flatMap((language) =>
  (['hangup', 'all'] as const).map((events) => ({ language, events })),
);

for (const [index, { language, events }] of combinations.entries()) {
  const title = `agent: ${language} browser, the service reports ${events === 'all' ? 'every event' : 'the end alone'}`;
  test(`the walk of the ${title}${index === 0 ? '' : ' @exhaustive'}`, async ({ browserName: _ }, story) => {
    const name = story.project.name as BrowserName;
    const launch = () => launchBrowser(name, { language });
    const workstation = await openWorkstation(name, { build: false, launch, events });
    try {
      await walkToFirstCall(workstation, language, events === 'all' ? ', events' : '');
    } finally {
      await workstation.close();
    }
  });
}

async function walkToFirstCall(
  { browser, relay, sandbox }: Workstation,
  language: string,
  events: string,
): Promise<void> {
  const code = await relay.print('key', 'add', '--from', agent, '--setup-code');
  const open = (page: string) =>
    browser.newTab(`${browser.extensionOrigin}/extension/pages/${page}/index.html`);
  const tab = await browser.newTab();
  expect(await tab.evaluate('navigator.language')).toBe(language);

  const walk = startWalk('agent');
  const welcome = await open('welcome');
  const step = (number: number) => welcome.attribute(`.steps li:nth-child(${number})`, 'data-done');
  await until(() => welcome.count('#setup-code'), 'the field of the setup code');
  // Firefox speaks the languages of its installed packs alone.
  const spoken = browser.name === 'chromium' && language === 'pt-BR' ? 'pt-BR' : 'en';
  expect(await welcome.attribute('html', 'lang')).toBe(spoken);
  expect([await step(1), await step(2), await step(3)]).toEqual(['false', 'false', 'false']);
  const onWelcome = walk.counting(welcome);
  await onWelcome.click('#setup-code');
  await welcome.fill('#setup-code', code);
  walk.add('pastes');
  await until(() => welcome.count('#use-setup-code'), 'what the code holds');
  expect(await welcome.text('#setup-question')).toContain(relay.url);
  expect(await welcome.text('main')).not.toContain('dma_');
  expect(await axeViolations(welcome)).toEqual([]);
  await browser.allowHost(new URL(relay.url).hostname);
  await onWelcome.click('#use-setup-code');
  await until(async () => (await step(1)) === 'true', 'the tested connection');

  // The toolbar's button, and the switch in the popup that it opens; here the popup is a tab in the back.
  const popup = await open('popup');
  walk.add('clicks', 2);
  await browser.allowHost('127.0.0.1');
  await tab.goto(`${sandbox.url}/crm/`);
  await tab.activate();
  await until(async () => (await popup.text('.site .host')) === '127.0.0.1', 'the site of the page');
  await popup.evaluate(`document.querySelector('#enable-site').click()`);
  await until(async () => (await step(2)) === 'true', 'the site');
  // The relay's country, whatever the browser speaks: this number is Brazil's only there.
  const { value } = await ask<{ settings: { numbers: { country: string } } }>(popup, {
    type: 'page.settings',
  });
  expect(value.settings.numbers.country).toBe('BR');
  await clickNumber(walk.counting(tab), '11 3350-4188');
  await until(() => sandbox.calls.length > 0, 'the call');
  expect(sandbox.calls.map(({ fields }) => fields)).toMatchObject([{ from: agent, to: '1133504188' }]);
  await walk.end(`${browser.name} ${language}${events}`);
  await until(async () => (await step(3)) === 'true', 'the placed call');
}
