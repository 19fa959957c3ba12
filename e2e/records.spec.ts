/** A number clicked on a ticket's page: the tip names the ticket, and the relay's call is about it. */
import type { Call } from '../shared/call/call.ts';
import { resetExtension, resetToRelay } from '../testing/extension/ask-background.ts';
import { callsFinished, clickNumber, partOf, pointAtNumber } from '../testing/extension/marked-numbers.ts';
import { html, type ServedPages, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import { openWorkstation, type Workstation } from '../testing/workstation.ts';
import { expect, test } from './fixtures.ts';

const number = '(11) 3350-4188';
const tickets = ['4711', '4712'];

let pages: ServedPages;
let workstation: Workstation;
test.beforeAll(async ({ browserUnderTest: browser }) => {
  pages = await servePages(
    Object.fromEntries(tickets.map((id) => [`/tickets/${id}`, html(`<p>Telefone ${number}</p>`)])),
  );
  const template = {
    system: 'rt',
    origin: new URL(pages.url('/')).origin,
    pattern: '/tickets/{id}',
    kind: 'ticket',
  };
  workstation = await openWorkstation(browser.name, {
    build: false,
    rules: { templates: [template] },
    sandbox: { speed: 100 },
    // The worker's, which stays open.
    launch: async () => ({ ...browser, close: async () => {} }),
  });
  await resetToRelay(workstation);
});
test.afterAll(async () => {
  await resetExtension(workstation);
  await workstation.close();
  pages.close();
});

/** The records of the relay's calls, newest first. */
async function recordsAtRelay(): Promise<(string | undefined)[]> {
  const headers = { authorization: `Bearer ${workstation.key}` };
  const response = await fetch(`${workstation.relay.url}/v1/calls?limit=5`, { headers });
  return ((await response.json()) as { calls: Call[] }).calls.map(({ record }) => record?.url);
}

test('a call is about the ticket that the tip names, where the page shows no other since', async ({
  tab,
}) => {
  await tab.goto(pages.url('/tickets/4711'));
  await pointAtNumber(tab, number);
  expect((await partOf(tab, 'team line'))?.text).toBe('ticket 4711 · rt');
  await clickNumber(tab, number);
  await until(async () => (await recordsAtRelay())[0] === pages.url('/tickets/4711'), 'the call on 4711');

  await callsFinished(workstation);
  const at = await pointAtNumber(tab, number);
  await tab.evaluate(`history.pushState(null, '', '/tickets/4712')`);
  await tab.clickAt(at);
  await until(
    async () => (await tab.overlay()).some(({ text }) => /ticket 4711 · rt.*ticket 4712 · rt/.test(text)),
    'both tickets in the question',
  );
  expect(await recordsAtRelay()).toHaveLength(1);
});
