/** Whom a number reaches: calling by name in the panel, and the name in tip and history. */
import { readyToDial, resetExtension, resetToRelay } from '../testing/extension/ask-background.ts';
import { clickNumber, partOf, pointAtNumber } from '../testing/extension/marked-numbers.ts';
import { html, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import { openWorkstation, type Workstation } from '../testing/workstation.ts';
import { expect, test } from './fixtures.ts';

const directory = ['Name,Company,Phone', 'Ana Prado,Acme,(48) 3322-9001', 'João Lima,,(11) 3350-4188'].join(
  '\n',
);

let workstation: Workstation;
test.beforeAll(async ({ browserUnderTest: browser }) => {
  workstation = await openWorkstation(browser.name, {
    build: false,
    directory,
    sandbox: { speed: 100 },
    // The worker's, which stays open.
    launch: async () => ({ ...browser, close: async () => {} }),
  });
  await resetToRelay(workstation);
});
test.afterAll(async () => {
  await resetExtension(workstation);
  await workstation.close();
});

test('an agent finds a person by name and calls by keyboard alone, and the history shows the name', async () => {
  const { browser } = workstation;
  const panel = await browser.newTab(`${browser.extensionOrigin}/extension/pages/popup/index.html`);
  try {
    await panel.activate();
    await readyToDial(panel);
    const typed = async (name: string) => {
      await panel.fill('#dial-input', name);
      return until(() => panel.count('#people [role=option]'), `people named ${name}`);
    };
    // Without its accent.
    await typed('joao');
    await typed('ana');
    await panel.press('ArrowDown');
    await panel.press('Enter');
    const value = () => panel.evaluate<string>(`document.querySelector('#dial-input').value`);
    await until(async () => (await value()) === '+55 48 3322-9001', 'her number in the field');
    await until(async () => (await panel.attribute('#dial-button', 'disabled')) === null, 'the dial button');
    expect(workstation.sandbox.calls).toHaveLength(0);
    await panel.press('Enter');
    await until(() => workstation.sandbox.calls.length, 'the call');
    expect(workstation.sandbox.calls.map(({ fields }) => fields.to)).toEqual(['4833229001']);
    await until(
      async () => (await panel.text('#recent'))?.includes('Ana Prado, Acme'),
      'her name in the history',
    );
  } finally {
    await panel.close();
  }
});

test('the tip says whom a number reaches', async ({ tab }) => {
  const pages = await servePages({ '/': html('<p>Telefone (11) 3350-4188</p>') });
  try {
    await tab.goto(pages.url('/'));
    await pointAtNumber(tab, '(11) 3350-4188');
    await until(async () => (await partOf(tab, 'team line'))?.text === 'João Lima', 'the name in the tip');
  } finally {
    pages.close();
  }
});

/** All that a page can see of us: its nodes, style sheets, highlights, and what was loaded. */
const pageView = `JSON.stringify({
  html: document.documentElement.outerHTML,
  sheets: document.adoptedStyleSheets.map((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)),
  highlights: [...CSS.highlights].map(([name, { size, priority }]) => [name, size, priority]),
  loaded: performance.getEntriesByType('resource').length,
})`;

test('a page sees the same of a number with a name as of one without', async ({ tab }) => {
  const views: string[][] = [];
  for (const [number, name] of [
    ['(11) 3350-4188', 'João Lima'],
    ['(11) 3350-4199', ''],
  ] as const) {
    const pages = await servePages({ '/': html(`<p>Telefone ${number}</p>`) });
    try {
      await tab.goto(pages.url('/'));
      await until(() => tab.evaluate<number>('CSS.highlights.size'), 'the mark');
      const view = () => tab.evaluate<string>(pageView);
      const before = await view();
      await pointAtNumber(tab, number);
      await until(async () => ((await partOf(tab, 'team line'))?.text ?? '') === name, 'the line of the tip');
      views.push([before, await view()].map((each) => each.replaceAll(number, 'NUMBER')));
    } finally {
      pages.close();
    }
  }
  expect(views[0]).toEqual(views[1]);
});

test('the tip says who asked not to be called, and a click there places nothing', async ({ tab }) => {
  const number = '(11) 3350-4177';
  const { relay, key, sandbox } = workstation;
  const listed = await fetch(`${relay.url}/v1/rules/do-not-call`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ number: '+55 11 3350-4177', reason: 'By e-mail.' }),
  });
  expect(listed.status).toBe(201);
  const before = sandbox.calls.length;
  const pages = await servePages({ '/': html(`<p>Telefone ${number}</p>`) });
  try {
    await tab.goto(pages.url('/'));
    await pointAtNumber(tab, number);
    await until(
      async () => (await partOf(tab, 'team warn'))?.text.startsWith('Asked not to be called.'),
      'the line of the tip',
    );
    await clickNumber(tab, number);
    await until(
      async () => (await tab.overlay()).some(({ text }) => /not allowed.*Asked not to be called/.test(text)),
      'the refusal',
    );
    expect(sandbox.calls).toHaveLength(before);
  } finally {
    pages.close();
  }
});
