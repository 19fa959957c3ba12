/** A call that was not placed from a record: logged on the only one with its number, else chosen in the panel. */
import type { Call } from '../shared/call/call.ts';
import type { Tab } from '../testing/browsers/browser.ts';
import { type FakeOdoo, startFakeOdoo } from '../testing/crm/fake-odoo.ts';
import { readyToDial, resetExtension, resetToRelay } from '../testing/extension/ask-background.ts';
import { until } from '../testing/until.ts';
import { openWorkstation, type Workstation } from '../testing/workstation.ts';
import { expect, test } from './fixtures.ts';

const [one, several] = ['(48) 3322-9001', '(48) 3322-9002'];

let crm: FakeOdoo;
let workstation: Workstation;
test.beforeAll(async ({ browserUnderTest: browser }) => {
  crm = await startFakeOdoo([
    { id: 7, name: 'Ana Prado', phone: '+55 48 3322-9001' },
    { id: 8, name: 'Rui Costa', phone: '+55 48 3322-9002' },
    { id: 9, name: 'Eva Luz', phone: '(48) 3322-9002' },
  ]);
  workstation = await openWorkstation(browser.name, {
    build: false,
    rules: { templates: [{ preset: 'odoo', origin: 'https://crm.example' }] },
    relaySettings: () => crm.relaySettings,
    sandbox: { speed: 100 },
    // The worker's, which stays open.
    launch: async () => ({ ...browser, close: async () => {} }),
  });
  await resetToRelay(workstation);
  const headers = { authorization: `Bearer ${workstation.key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ numbers: ['+554833229002'] });
  const address = `${workstation.relay.url}/v1/numbers/status`;
  await until(async () => {
    const { numbers } = await (await fetch(address, { method: 'POST', headers, body })).json();
    return numbers[0].count === 2;
  }, 'the names');
});
test.afterAll(async () => {
  await resetExtension(workstation);
  await workstation.close();
  await crm.stop();
});

async function callsAtRelay(): Promise<Call[]> {
  const headers = { authorization: `Bearer ${workstation.key}` };
  return (await (await fetch(`${workstation.relay.url}/v1/calls`, { headers })).json()).calls;
}

/** Calls from the panel, until the panel has the end of the call. */
async function call(panel: Tab, number: string): Promise<void> {
  await readyToDial(panel);
  const before = (await callsAtRelay()).length;
  await panel.fill('#dial-input', number);
  await until(async () => (await panel.attribute('#dial-button', 'disabled')) === null, 'the dial button');
  await panel.click('#dial-button');
  const newest = await until(async () => {
    const calls = await callsAtRelay();
    return calls.length > before && calls[0]!.state === 'disconnected' && calls[0];
  }, 'the end of the call');
  await until(() => panel.count(`#recent [data-id="${newest.id}"][data-state=disconnected]`), 'its row');
}

test('two clicks in the panel choose the record of a call whose number several have', async () => {
  const { browser } = workstation;
  const panel = await browser.newTab(`${browser.extensionOrigin}/extension/pages/popup/index.html`);
  try {
    await panel.activate();
    await readyToDial(panel);
    await call(panel, several);
    // With the next call, the last one's wrap-up gives way, and it becomes an item of the list.
    await call(panel, one);
    await until(() => panel.count('.wrap-up .outcome[aria-keyshortcuts="1"]'), 'the outcomes');
    await panel.press('1');
    await until(() => crm.notes(7).length, 'the entry of the only record');
    // The card above grows with its news, and pushes the item down.
    await until(() => panel.count('.wrap-up .log-entry[data-state=done]'), 'the news of that entry');
    await until(() => panel.count('.choose-record'), 'the item');
    expect(await panel.count('.choose-record')).toBe(1);
    await panel.click('.choose-record');
    await until(async () => (await panel.count('#records-to-choose .log-on')) === 2, 'both records');
    expect(await panel.text('#records-to-choose')).toContain('Eva Luz · res.partner 9 · odoo');
    expect([crm.notes(8).length, crm.notes(9).length]).toEqual([0, 0]);
    await panel.click('#records-to-choose .log-on:nth-of-type(2)');
    await until(async () => (await panel.count('#records-to-choose')) === 0, 'nothing left to choose');
    const chosen = async () => (await callsAtRelay())[1]!;
    expect((await chosen()).record).toMatchObject({ system: 'odoo', kind: 'res.partner' });
    expect((await chosen()).entry?.state).toBe('waiting');
  } finally {
    await panel.close();
  }
});
