/** What the team knows: whom a number reaches, who must not be called, and which ticket a call is about. */
import type { Call } from '../shared/call/call.ts';
import type { OverlayPart, Point, Tab } from '../testing/browsers/browser.ts';
import { readyToDial, resetExtension, resetToRelay } from '../testing/extension/ask-background.ts';
import { callsFinished, clickNumber, partOf, pointAtNumber } from '../testing/extension/marked-numbers.ts';
import { html, type ServedPages, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import { openWorkstation, type Workstation } from '../testing/workstation.ts';
import { expect, test } from './fixtures.ts';

/** More than the list below the dial field shows at once. */
const colleagues = Array.from(
  { length: 12 },
  (_, index) => `Rui ${index} Moraes,Acme,(48) 3322-91${10 + index}`,
);

const directory = [
  'Name,Company,Phone',
  'Ana Prado,Acme,(48) 3322-9001',
  'João Lima,,(11) 3350-4188',
  ...colleagues,
].join('\n');

/** On each ticket; the directory does not have it. */
const ticketNumber = '(11) 3350-4166';

let tickets: ServedPages;
let workstation: Workstation;
test.beforeAll(async ({ browserUnderTest: browser }) => {
  const ticket = html(`<p>Telefone ${ticketNumber}</p>`);
  tickets = await servePages({
    '/tickets/4711': ticket,
    '/tickets/4712': ticket,
    '/list': html(`<ul><li><a href="/tickets/4711">4711</a> <a href="/list">list</a> (11) 3350-4168</li>
      <li><a href="/tickets/4711">A</a> <a href="/tickets/4712">B</a> (11) 3350-4167</li></ul>`),
  });
  const { origin } = new URL(tickets.url('/'));
  workstation = await openWorkstation(browser.name, {
    build: false,
    directory,
    rules: {
      templates: [{ system: 'rt', origin, pattern: '/tickets/{id}', kind: 'ticket' }],
      callingHours: { PT: { days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', to: '00:00' } },
    },
    sandbox: { speed: 100 },
    // The worker's, which stays open.
    launch: async () => ({ ...browser, close: async () => {} }),
  });
  await resetToRelay(workstation);
});
test.afterAll(async () => {
  await resetExtension(workstation);
  await workstation.close();
  tickets.close();
});

test('an agent finds a person by name, calls by keyboard alone, reads the name in the history', async () => {
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

test('the person that the arrow keys reach is in sight, in any colours', async () => {
  const { browser } = workstation;
  const panel = await browser.newTab(`${browser.extensionOrigin}/extension/pages/popup/index.html`);
  const people = () => panel.count('#people [role=option]');
  const reached = () =>
    panel.evaluate<{ place: number; isInSight: boolean; standsOut: boolean }>(`(() => {
      const people = document.querySelector('#people');
      const option = people.querySelector('[aria-selected=true]');
      if (!option) return { place: -1 };
      const box = option.getBoundingClientRect();
      const within = people.getBoundingClientRect();
      const backdrop = [option, people].map((part) => getComputedStyle(part).backgroundColor);
      return {
        place: [...people.children].indexOf(option),
        isInSight: box.top >= within.top && box.bottom <= within.bottom,
        standsOut: backdrop[0] !== backdrop[1],
      };
    })()`);
  const expectAfter = async (key: string, place: number) => {
    await panel.press(key);
    await until(async () => (await reached()).place === place, `${key} to reach ${place}`);
    expect(await reached()).toEqual({ place, isInSight: true, standsOut: true });
  };
  try {
    await panel.activate();
    await readyToDial(panel);
    await panel.fill('#dial-input', 'moraes');
    await until(async () => (await people()) === colleagues.length, 'all colleagues');
    for (const place of colleagues.keys()) await expectAfter('ArrowDown', place);
    for (const place of [...colleagues.keys()].toReversed().slice(1)) await expectAfter('ArrowUp', place);
    await browser.setForcedColors(true);
    await expectAfter('ArrowDown', 1);
  } finally {
    await browser.setForcedColors(false);
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

/** Where our element is hit, and not the page. */
const ourPoints = `(() => { const points = [];
  for (let y = 2; y < 240; y += 4) for (let x = 2; x < 640; x += 4)
    if (document.elementFromPoint(x, y)?.localName === 'dialmark-overlay') points.push({ x, y });
  return points; })()`;

/** Where people see the tip. */
const tipBox = `document.querySelector('dialmark-overlay').shadowRoot.querySelector('.tip')
  .getBoundingClientRect().toJSON()`;

test('a page hits the same of our tip whatever the team knows of a number', async ({ tab }) => {
  const { relay, sandbox } = workstation;
  const addKey = (...args: string[]) => relay.print('key', 'add', '--team', 'sales', ...args);
  const own = await addKey('--from', '1105');
  const marta = await addKey('--from', '1107', '--name', 'Marta', '--client-calls');
  const post = async (path: string, as: string, body: object) => {
    const headers = {
      ...{ authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      'idempotency-key': crypto.randomUUID(),
    };
    const { status } = await fetch(relay.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(status).toBe(201);
  };
  await resetToRelay({ ...workstation, key: own });
  await post('/v1/calls', marta, { to: '1133508418', placedBy: 'client' });
  await post('/v1/rules/do-not-call', own, { number: '+551133501848' });
  const before = sandbox.calls.length;
  const points: Point[][] = [];
  const boxes: object[] = [];
  const views: string[] = [];
  /** The digits are the same, so that the tip is as wide. @param shows the line of the tip, once the relay has answered. */
  const hit = async (number: string, shows: (line: OverlayPart) => unknown, isPressed = false) => {
    const link = `<p style="font:16px monospace;margin:60px">Telefone <a href="#went">${number}</a></p>`;
    const pages = await servePages({ '/': html(link) });
    try {
      await tab.goto(pages.url('/'));
      await pointAtNumber(tab, number);
      await until(async () => {
        const line = (await tab.overlay()).find(({ attributes }) => attributes.class?.startsWith('team'));
        return line && shows(line);
      }, `the line of ${number}`);
      const found = await tab.evaluate<Point[]>(ourPoints);
      points.push(found);
      views.push((await tab.evaluate<string>(pageView)).replaceAll(number, 'NUMBER'));
      await tab.openOverlay();
      boxes.push(await tab.evaluate<object>(tipBox));
      const middle = found[Math.floor(found.length / 2)];
      if (isPressed && middle) await tab.clickAt(middle);
    } finally {
      pages.close();
    }
  };
  try {
    await hit('(11) 3350-4188', ({ text }) => text === 'João Lima');
    await hit('(11) 3350-8418', ({ text }) => text.includes('Marta is calling'));
    await hit('(11) 3350-1848', ({ text }) => text.startsWith('Asked not to be called.'), true);
    const isEmpty = ({ text }: OverlayPart) => text === '';
    await hit('(11) 3350-8148', isEmpty, true);
    await until(() => sandbox.calls.length > before, 'the call');
    await callsFinished({ ...workstation, key: own });
    expect(sandbox.calls.slice(before).map(({ fields }) => fields.to)).toEqual(['1133508148']);
    expect(points[0]!.length).toBeGreaterThan(10);
    for (const others of points.slice(1)) expect(others).toEqual(points[0]);
    for (const others of boxes.slice(1)) expect(others).toEqual(boxes[0]);
    for (const others of views.slice(1)) expect(others).toEqual(views[0]);
  } finally {
    await resetToRelay(workstation);
  }
});

/** Clicks a number whose tip warns. Fails unless the overlay refuses the call, and none is placed. */
async function expectRefusal(tab: Tab, number: string, warning: string, refusal: RegExp): Promise<void> {
  const { sandbox } = workstation;
  const before = sandbox.calls.length;
  const pages = await servePages({ '/': html(`<p>Telefone ${number}</p>`) });
  try {
    await tab.goto(pages.url('/'));
    await pointAtNumber(tab, number);
    const isWarning = async () => (await partOf(tab, 'team warn'))?.text.startsWith(warning);
    await until(isWarning, 'the line of the tip');
    await clickNumber(tab, number);
    const isRefused = async () => (await tab.overlay()).some(({ text }) => refusal.test(text));
    await until(isRefused, 'the refusal');
    expect(sandbox.calls).toHaveLength(before);
  } finally {
    pages.close();
  }
}

test('a click places nothing where the tip names who asked not to be called', async ({ tab }) => {
  const number = '(11) 3350-4177';
  const { relay, key } = workstation;
  const listed = await fetch(`${relay.url}/v1/rules/do-not-call`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ number: '+55 11 3350-4177', reason: 'By e-mail.' }),
  });
  expect(listed.status).toBe(201);
  await expectRefusal(tab, number, 'Asked not to be called.', /not allowed.*Asked not to be called/);
});

test('an agent with the right calls such a number from our page, with a reason, by keyboard', async ({
  tab,
}) => {
  const number = '+55 11 3350-4155';
  const { browser, relay, key, sandbox } = workstation;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ number });
  await fetch(`${relay.url}/v1/rules/do-not-call`, { method: 'POST', headers, body });
  const dials = () => sandbox.calls.filter(({ fields }) => fields.to === '1133504155').length;
  const pages = await servePages({ '/': html(`<p>Telefone ${number}</p>`) });
  const openPanel = () => browser.newTab(`${browser.extensionOrigin}/extension/pages/popup/index.html`);
  const rights = ['--right', 'override', '--name', 'Boss'];
  const boss = await relay.print('key', 'add', '--from', '1105', ...rights);
  try {
    const without = await openPanel();
    await without.fill('#dial-input', number);
    await until(async () => (await without.text('#dial-hint')).includes('Asked not'), 'the refusal');
    expect(await without.attribute('#dial-button', 'disabled')).not.toBeNull();
    await without.close();

    await resetToRelay({ ...workstation, key: boss });
    await tab.goto(pages.url('/'));
    await clickNumber(tab, number);
    await until(
      async () => (await tab.overlay()).some(({ text }) => /not allowed.*Asked not to be called/.test(text)),
      'the refusal in the page',
    );

    const panel = await openPanel();
    await panel.activate();
    await panel.fill('#dial-input', number);
    // Before the refusal is known, the button is there for anyone.
    await until(async () => (await panel.text('#dial-hint')).includes('Asked not'), 'the refusal');
    await until(async () => (await panel.attribute('#dial-button', 'disabled')) === null, 'the dial button');
    await panel.press('Enter');
    await until(() => panel.count('#override-reason:focus'), 'the field of the reason');
    expect(await panel.text('#confirm')).toContain('Asked not to be called.');
    expect(await panel.attribute('#confirm-yes', 'disabled')).not.toBeNull();
    await panel.fill('#override-reason', 'Asked by mail');
    await until(async () => (await panel.attribute('#confirm-yes', 'disabled')) === null, 'the yes');
    expect(dials()).toBe(0);
    await panel.press('Tab');
    // A press before it could be read does not count; it is repeated until it does.
    await until(async () => {
      await panel.press('Enter');
      return dials() > 0;
    }, 'the call');
    expect(dials()).toBe(1);
    expect(await relay.print('audit', '--since', '1d')).toMatch(/override.*Asked by mail/);
    await panel.close();
  } finally {
    pages.close();
    await resetToRelay(workstation);
  }
});

test('a click places nothing where the tip says that it is too late there', async ({ tab }) => {
  const number = '+351 21 123 4567';
  await expectRefusal(tab, number, 'It is too early or too late there', /not allowed.*too late there/);
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
  const before = (await recordsAtRelay()).length;
  await tab.goto(tickets.url('/tickets/4711'));
  await pointAtNumber(tab, ticketNumber);
  expect((await partOf(tab, 'team line'))?.text).toBe('ticket 4711 · rt');
  await clickNumber(tab, ticketNumber);
  await until(async () => (await recordsAtRelay())[0] === tickets.url('/tickets/4711'), 'the call on 4711');

  await callsFinished(workstation);
  const at = await pointAtNumber(tab, ticketNumber);
  await tab.evaluate(`history.pushState(null, '', '/tickets/4712')`);
  await tab.clickAt(at);
  await until(
    async () => (await tab.overlay()).some(({ text }) => /ticket 4711 · rt.*ticket 4712 · rt/.test(text)),
    'both tickets in the question',
  );
  expect(await recordsAtRelay()).toHaveLength(before + 1);
});

test('a page that shows another ticket after the press is asked about', async ({ tab }) => {
  await callsFinished(workstation);
  const before = (await recordsAtRelay()).length;
  await tab.goto(tickets.url('/tickets/4711'));
  const at = await pointAtNumber(tab, ticketNumber);
  await until(async () => (await partOf(tab, 'team line'))?.text.includes('ticket 4711 · rt'), 'the ticket');
  await tab.evaluate(
    `addEventListener('pointerdown', () => history.pushState(null, '', '/tickets/4712'), true)`,
  );
  await tab.clickAt(at);
  await until(
    async () => (await tab.overlay()).some(({ text }) => /ticket 4711 · rt.*ticket 4712 · rt/.test(text)),
    'both tickets in the question',
  );
  expect(await recordsAtRelay()).toHaveLength(before);
});

test('a call from a list is about the only ticket that its row links to', async ({ tab }) => {
  await callsFinished(workstation);
  await tab.goto(tickets.url('/list'));
  await pointAtNumber(tab, '(11) 3350-4167');
  await until(async () => (await partOf(tab, 'team line'))?.text === '', 'no record of two');
  await pointAtNumber(tab, '(11) 3350-4168');
  const line = async () => (await partOf(tab, 'team line'))?.text;
  await until(async () => (await line()) === 'from the page: ticket 4711 · rt', 'the ticket of the row');
  const before = (await recordsAtRelay()).length;
  await clickNumber(tab, '(11) 3350-4168');
  await until(async () => (await recordsAtRelay()).length > before, 'the call');
  expect((await recordsAtRelay())[0]).toBe(tickets.url('/tickets/4711'));
});
