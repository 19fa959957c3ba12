/** A call sheet from the numbers of a page: each person waits for a press, and the outcome brings the next one. */
import { readyToDial, resetExtension, resetToRelay } from '../testing/extension/ask-background.ts';
import { html, type ServedPages, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import { openWorkstation, type Workstation } from '../testing/workstation.ts';
import { expect, test } from './fixtures.ts';

const people = [
  { name: 'Ana Prado', ticket: '4711', number: '(48) 3322-9001' },
  { name: 'Rui Lima', ticket: '4712', number: '(48) 3322-9002' },
  { name: 'Otto Braga', ticket: '4713', number: '(11) 3350-4188' },
];
const row = ({ name, ticket, number }: (typeof people)[number]) =>
  `<tr><td><a href="/tickets/${ticket}">${name}</a></td><td>${number}</td></tr>`;

let pages: ServedPages;
let workstation: Workstation;
let key: string;
test.beforeAll(async ({ browserUnderTest: browser }) => {
  pages = await servePages({ '/list': html(`<table>${people.map(row).join('')}</table>`) });
  const origin = new URL(pages.url('/')).origin;
  workstation = await openWorkstation(browser.name, {
    build: false,
    rules: { templates: [{ system: 'rt', origin, pattern: '/tickets/{id}', kind: 'ticket' }] },
    sandbox: { speed: 100 },
    // The worker's, which stays open.
    launch: async () => ({ ...browser, close: async () => {} }),
  });
  key = await workstation.relay.print('key', 'add', '--from', '1105', '--team', 'sales');
  await resetToRelay({ ...workstation, key });
});
test.afterAll(async () => {
  await resetExtension(workstation);
  await workstation.close();
  pages.close();
});

async function ask(path: string, as: string, body?: object) {
  const headers = { authorization: `Bearer ${as}`, 'content-type': 'application/json' };
  const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  return (await fetch(workstation.relay.url + path, request)).json();
}
const dialled = () => workstation.sandbox.calls.map(({ fields }) => fields.to);

test('a sheet of ticked rows is called one by one, each by a press', async ({ tab }) => {
  const { browser } = workstation;
  const panel = await browser.newTab(`${browser.extensionOrigin}/extension/pages/popup/index.html`);
  try {
    await readyToDial(panel);
    await tab.goto(pages.url('/list'));
    await tab.activate();
    // As in a panel beside the page, which stays the active tab.
    const press = (selector: string) => panel.evaluate(`document.querySelector('${selector}')?.click()`);
    await until(async () => (await panel.count('#numbers-on-page li')) === 3, 'the numbers of the page');
    await until(() => panel.count('#make-sheet'), 'the button that makes a sheet');
    await press('#make-sheet');
    await until(() => panel.count('#sheet-name'), 'the ticks');
    await press('#numbers-on-page li:nth-child(2) .tick-number');
    await panel.evaluate(`(() => {
      const field = document.querySelector('#sheet-name');
      field.value = 'Autumn';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
    await until(async () => (await panel.attribute('#save-sheet', 'disabled')) === null, 'the save button');
    await press('#save-sheet');
    await until(() => panel.count('.start-sheet'), 'the sheet in the list');
    const { sheets } = await ask('/v1/sheets', key);
    const { items } = await ask(`/v1/sheets/${sheets[0].id}/items`, key);
    expect(items).toMatchObject([
      { name: 'Ana Prado', number: '+554833229001', record: { system: 'rt', kind: 'ticket', id: '4711' } },
      { name: 'Otto Braga', number: '+551133504188', record: { system: 'rt', kind: 'ticket', id: '4713' } },
    ]);

    await panel.activate();
    await panel.click('.start-sheet');
    const next = async () => (await panel.count('#next-item')) > 0 && (await panel.text('#next-item'));
    await until(async () => (await next()) && (await next())?.toString().includes('Next: Ana Prado'), 'Ana');
    expect(await panel.text('.next-item')).toContain('+55 48 3322-9001');
    expect(await panel.text('.next-item')).toContain('ticket 4711 · rt');
    expect(dialled()).toEqual([]);
    // A press before it could be read does not count; it is repeated until it does.
    await until(async () => {
      await panel.press('Enter');
      return dialled().length > 0;
    }, 'the call of Ana');
    expect(dialled()).toEqual(['4833229001']);
    await until(async () => (await panel.text('#sheets')).includes('Choose an outcome'), 'the question');
    expect(await panel.count('#next-item')).toBe(0);
    const [, otto] = (await ask(`/v1/sheets/${sheets[0].id}/items`, key)).items;
    expect(otto).toMatchObject({ name: 'Otto Braga', state: 'open' });
    expect(otto).not.toHaveProperty('agent');

    await until(() => panel.count('[data-code=reached]'), 'the outcomes');
    await panel.click('[data-code=reached]');
    await until(async () => String(await next()).includes('Next: Otto Braga'), 'Otto');
    expect(await panel.text('.sheet-progress')).toContain('1 of 2 done');
    expect(dialled()).toHaveLength(1);

    // A colleague gets nothing while this agent has the last item, and gets it once it is given back.
    const colleague = await workstation.relay.print('key', 'add', '--from', '1106', '--team', 'sales');
    const claim = () => ask(`/v1/sheets/${sheets[0].id}/claim`, colleague, {});
    expect((await claim()).item).toBeUndefined();
    await panel.click('.stop-sheet');
    await until(() => panel.count('.start-sheet'), 'the list of sheets');
    expect((await claim()).item).toMatchObject({ name: 'Otto Braga', agent: '1106' });
    await panel.click('.start-sheet');
    await until(async () => (await panel.text('#sheets')).includes('No one to call before'), 'no one due');
    expect(dialled()).toHaveLength(1);

    // Only who made it deletes it, and is asked first.
    await panel.click('.stop-sheet');
    await until(() => panel.count('.delete-sheet'), 'the button that deletes');
    await panel.click('.delete-sheet');
    const yes = `#delete-${sheets[0].id}-yes`;
    await until(async () => (await panel.attribute(yes, 'disabled')) === null, 'the yes');
    expect((await ask('/v1/sheets', colleague)).sheets).toMatchObject([{ mayDelete: false }]);
    await panel.click(yes);
    await until(async () => (await panel.text('#sheets')).includes('No call sheets.'), 'no sheets');
    expect((await ask('/v1/sheets', key)).sheets).toEqual([]);
  } finally {
    await panel.close();
  }
});
