/** A service that reports ringing and answers, and hangs up: what page, popup and widget show, and how an agent ends a call. */
import type { Tab } from '../testing/browsers/browser.ts';
import { resetExtension, resetToRelay } from '../testing/extension/ask-background.ts';
import {
  callsFinished,
  cardState,
  clickHangUp,
  clickNumber,
  partOf,
  waitUntilClickable,
} from '../testing/extension/marked-numbers.ts';
import { until } from '../testing/until.ts';
import { openWorkstation, type Workstation } from '../testing/workstation.ts';
import { expect, test } from './fixtures.ts';

let workstation: Workstation;
let popup: Tab;
test.beforeAll(async ({ browserUnderTest: browser }) => {
  workstation = await openWorkstation(browser.name, {
    build: false,
    events: 'all',
    // The number rings for some seconds.
    sandbox: { speed: 0.5 },
    // The worker's, which stays open.
    launch: async () => ({ ...browser, close: async () => {} }),
  });
  await resetToRelay(workstation);
  popup = await browser.newTab(`${browser.extensionOrigin}/extension/pages/popup/index.html`);
  await until(() => popup.count('#dial-input'), 'the popup');
});
test.afterAll(async () => {
  await popup.close();
  await resetExtension(workstation);
  await workstation.close();
});

const long = '+55 11 3350-9002';
const busy = '+55 11 3350-9004';

const inWidget = (tab: Tab, part: string) =>
  tab.evaluate<string>(
    `document.querySelector('dialmark-widget')?.shadowRoot?.querySelector('[part=call] ${part}')?.innerText ?? ''`,
  );
const widgetState = (tab: Tab) =>
  tab.evaluate<string>(
    `document.querySelector('dialmark-widget')?.shadowRoot?.querySelector('[part=call]')?.dataset.state ?? ''`,
  );

/** Waits until page, widget and popup are in this state together: the popup shows the call before until it hears of this one. */
async function everywhere(tab: Tab, state: string): Promise<void> {
  const popupState = () => popup.attribute('#live-call', 'data-state');
  await until(async () => {
    const states = await Promise.all([cardState(tab), widgetState(tab), popupState()]);
    return states.every((each) => each === state);
  }, `${state} in page, widget and popup`);
}

async function call(tab: Tab, number: string): Promise<void> {
  await tab.goto(`${workstation.sandbox.url}/crm/#/test-lines`);
  await clickNumber(tab, number);
}

const hangUps: [where: string, press: (tab: Tab) => Promise<void>][] = [
  [
    'the page',
    async (tab) => {
      await waitUntilClickable(tab);
      await clickHangUp(tab);
    },
  ],
  [
    'the popup',
    async () => {
      await waitUntilClickable(popup);
      await popup.click('#hang-up');
    },
  ],
  [
    'the widget',
    async (tab) => {
      await tab.activate();
      const at = await tab.evaluate<{ x: number; y: number }>(`(() => {
        const button = document.querySelector('dialmark-widget').shadowRoot.querySelector('[part=hang-up]');
        button.scrollIntoView({ block: 'center' });
        const { x, y, width, height } = button.getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2 };
      })()`);
      await tab.clickAt(at);
    },
  ],
];

const journeys: [name: string, go: (tab: Tab) => Promise<unknown>][] = [
  ['a reload', (tab) => tab.reload()],
  ['a navigation', (tab) => tab.goto(`${workstation.sandbox.url}/crm/?other#/test-lines`)],
  [
    'a way there and back',
    async (tab) => {
      // Whether the page is made again or comes from the browser's cache, as it was.
      await tab.evaluate(
        `globalThis.isKept = true, addEventListener('pageshow', () => { globalThis.isKept = false; })`,
      );
      await tab.goto(`${workstation.sandbox.url}/crm/?other#/test-lines`);
      await until(async () => partOf(tab, 'hang-up'), 'the hang-up button on the other page');
      await tab.evaluate('void setTimeout(() => history.back())');
      await until(
        // Between the pages nothing can be asked.
        () => tab.evaluate<boolean>('!location.search && !globalThis.isKept').catch(() => false),
        'the page before',
      );
    },
  ],
];
for (const [name, go] of journeys)
  test(`the card of a call with its hang-up button survives ${name}`, async ({ tab }) => {
    await call(tab, long);
    await everywhere(tab, 'callingCallee');
    await go(tab);
    await until(async () => partOf(tab, 'hang-up'), `the hang-up button after ${name}`);
    expect((await partOf(tab, 'card'))?.text).toContain('3350-9002');
    await waitUntilClickable(tab);
    await clickHangUp(tab);
    await until(async () => (await cardState(tab)) === 'disconnected', 'the end in the page');
    await callsFinished(workstation);
  });

for (const [where, press] of hangUps) {
  const tag = where === 'the page' ? '' : ' @exhaustive';
  test(`a call rings, connects with a running clock, ends by the button in ${where}${tag}`, async ({
    tab,
  }) => {
    const before = workstation.sandbox.calls.length;
    await call(tab, long);
    await everywhere(tab, 'callingCallee');
    expect(await inWidget(tab, '[part=state]')).toMatch(/^Ringing .*3350.9002/);
    expect((await partOf(tab, 'card'))?.text).toMatch(/Ringing .*3350.9002/);

    await everywhere(tab, 'connected');
    expect(await inWidget(tab, '[part=state]')).toBe('Connected');
    expect(await popup.text('#live-call')).toContain('Connected');
    const seconds = (clock: string | undefined) => {
      const [, minutes, rest] = /(\d+):(\d\d)/.exec(clock ?? '') ?? [];
      return Number(minutes) * 60 + Number(rest);
    };
    const clocks = async () => [
      seconds((await partOf(tab, 'clock'))?.text),
      seconds(await inWidget(tab, '[part=clock]')),
      seconds(await popup.text('#live-call .clock')),
    ];
    const first = await clocks();
    for (const clock of first) expect(clock).toBeLessThan(10);
    await until(
      async () => (await clocks()).every((clock, index) => clock > first[index]!),
      'running clocks',
    );

    await press(tab);
    await everywhere(tab, 'disconnected');
    expect((await partOf(tab, 'card'))?.text).toContain('You hung up.');
    expect(await inWidget(tab, '')).toContain('You hung up');
    expect(await partOf(tab, 'hang-up')).toBeUndefined();
    expect(await popup.count('#hang-up')).toBe(0);
    expect(workstation.sandbox.calls).toHaveLength(before + 1);
    await callsFinished(workstation);
  });
}

test('a second press on the resting pointer hangs up once the relay is back', async ({ tab }) => {
  await call(tab, long);
  await everywhere(tab, 'connected');
  await workstation.relay.stop();
  await waitUntilClickable(tab);
  await clickHangUp(tab);
  await until(async () => (await cardState(tab)) === 'error', 'the failure of the first press');
  await workstation.relay.start();
  await waitUntilClickable(tab);
  await clickHangUp(tab);
  await until(async () => (await cardState(tab)) === 'disconnected', 'the end, without the failure');
  expect((await partOf(tab, 'card'))?.text).toContain('You hung up.');
  await callsFinished(workstation);
});

test('the button of the card shows a press that the relay has not answered yet', async ({ tab }) => {
  await call(tab, long);
  await everywhere(tab, 'callingCallee');
  await waitUntilClickable(tab);
  const { pid } = workstation.relay;
  process.kill(pid, 'SIGSTOP');
  try {
    await clickHangUp(tab);
    const pressed = async () => (await partOf(tab, 'hang-up'))?.attributes['aria-disabled'];
    await until(async () => (await pressed()) === 'true', 'the pressed button');
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await until(async () => (await cardState(tab)) === 'disconnected', 'the end in the page');
  await callsFinished(workstation);
});

test('a busy number is named as such in page, popup, widget @exhaustive', async ({ tab }) => {
  await call(tab, busy);
  await everywhere(tab, 'disconnected');
  expect((await partOf(tab, 'card'))?.text).toMatch(/3350.9004 is busy/);
  expect(await inWidget(tab, '[part=state]')).toBe('Busy');
  await expect.poll(() => popup.text('#live-call .sentence')).toMatch(/3350.9004 is busy/);
  await callsFinished(workstation);
});
