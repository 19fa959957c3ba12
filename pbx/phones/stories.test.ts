/** From a real click in a browser to the phone that rings, and back to what page, popup and widget say of it. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import messages from '../../extension/_locales/en/messages.json' with { type: 'json' };
import { type Call, isFinished } from '../../shared/call/call.ts';
import { openPhoneWorkstation, type PhoneWorkstation } from '../../testing/asterisk/phone-workstation.ts';
import { type PhoneCall, type SipPhone, startPhone } from '../../testing/asterisk/sip-phone.ts';
import type { PhoneBehaviour } from '../../testing/asterisk/sip-scenario.ts';
import type { Tab } from '../../testing/browsers/browser.ts';
import type { BrowserName } from '../../testing/browsers/launch.ts';
import {
  callsFinished,
  cardState,
  clickNumber,
  partOf,
  waitUntilClickable,
} from '../../testing/extension/marked-numbers.ts';
import { agent as agentCode } from '../../testing/extension/options-page.ts';
import { until } from '../../testing/until.ts';
import { type Texts, widgetLanguages } from '../../widget/texts.ts';

/** As the CRM writes it; with the default dial plan its national digits are dialled. */
const number = '(48) 3322-4455';
/** The dialplan has no number that begins with 9. */
const numberOfNoDialplan = '(92) 3350-4177';

interface Story {
  name: string;
  /** Firefox plays it as well. */
  inFirefox?: true;
  agent?: PhoneBehaviour | 'off' | 'unregistered';
  /** One that is answered by hand is answered as soon as it rings. */
  far?: PhoneBehaviour;
  number?: string;
  /** What happens once the callee's phone is answered. */
  whileTalking?: (station: PhoneWorkstation, tab: Tab, far: SipPhone) => Promise<unknown>;
  state: Call['state'];
  reason: Call['reason'];
  endedBy?: Call['endedBy'];
  /** How many calls rang at the agent's phone, and at the callee's. */
  invites: readonly [agent: number, far: number];
  /** Names of the texts that the widget shows, of those that the popup shows, and of the page's where they differ. */
  widget: readonly (keyof Texts)[];
  popup: readonly (keyof typeof messages)[];
  page?: readonly (keyof typeof messages)[];
}

/** Breaks the service's connection to Asterisk, and waits until it is back after `meanwhile`. */
async function breakConnection(
  { ami, service }: PhoneWorkstation,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<void> {
  ami.isOpen = false;
  ami.cut();
  await until(async () => !(await fetch(`${service.url}/readyz`)).ok, 'the lost connection');
  await meanwhile();
  ami.isOpen = true;
  await service.untilReady();
}

const hungUp = { state: 'disconnected', reason: 'hangUp', invites: [1, 1] } as const;

const stories: readonly Story[] = [
  {
    name: 'the callee hangs up',
    inFirefox: true,
    far: { talkMs: 2000 },
    ...hungUp,
    endedBy: 'callee',
    widget: ['answered', 'callee'],
    popup: ['state_disconnected', 'state_endedBy_callee'],
  },
  {
    name: 'the caller hangs up',
    agent: { talkMs: 2500 },
    ...hungUp,
    endedBy: 'caller',
    widget: ['answered', 'caller'],
    popup: ['state_disconnected', 'state_endedBy_caller'],
  },
  {
    name: 'the caller gives up while the callee rings',
    agent: { talkMs: 1000 },
    far: { answer: 'never' },
    ...hungUp,
    endedBy: 'caller',
    widget: ['noAnswer', 'caller'],
    popup: ['state_disconnected_gaveUp'],
  },
  {
    name: 'the callee is busy',
    inFirefox: true,
    far: { answer: 'busy' },
    ...hungUp,
    reason: 'calleeBusy',
    widget: ['calleeBusy'],
    popup: ['state_reason_calleeBusy'],
  },
  {
    name: 'the callee declines',
    far: { answer: 'decline' },
    ...hungUp,
    reason: 'calleeRefused',
    widget: ['declined'],
    popup: ['state_reason_calleeRefused'],
  },
  {
    name: 'the callee does not answer',
    far: { answer: 'never' },
    ...hungUp,
    reason: 'calleeNoAnswer',
    widget: ['noAnswer'],
    popup: ['state_reason_calleeNoAnswer'],
  },
  {
    name: 'the number is unknown',
    far: { answer: 'unknown' },
    ...hungUp,
    reason: 'calleeUnknown',
    widget: ['calleeUnknown'],
    popup: ['state_reason_calleeUnknown'],
  },
  {
    name: 'the dialplan does not have the number',
    number: numberOfNoDialplan,
    state: 'failed',
    reason: 'refused',
    invites: [0, 0],
    widget: ['refused'],
    popup: ['state_error_refusedByProvider'],
    // The service's own words are not of the agent's language.
    page: ['state_refusedInPage'],
  },
  {
    name: 'the caller does not answer',
    inFirefox: true,
    agent: { answer: 'never' },
    state: 'failed',
    reason: 'callerNoAnswer',
    invites: [1, 0],
    widget: ['callerNotReached'],
    popup: ['state_failed_callerNoAnswer'],
  },
  {
    name: 'the caller is busy',
    agent: { answer: 'busy' },
    state: 'failed',
    reason: 'callerBusy',
    invites: [1, 0],
    widget: ['callerBusy'],
    popup: ['state_reason_callerBusy'],
  },
  {
    name: 'the caller declines',
    agent: { answer: 'decline' },
    state: 'failed',
    reason: 'callerRefused',
    invites: [1, 0],
    widget: ['callerRefused'],
    popup: ['state_reason_callerRefused'],
  },
  {
    name: "the caller's phone is not registered",
    agent: 'unregistered',
    state: 'failed',
    reason: 'callerFailure',
    invites: [0, 0],
    widget: ['callerFailure'],
    popup: ['state_reason_callerFailure'],
  },
  {
    name: 'the agent presses Hang up in the page',
    async whileTalking(_station, tab) {
      await waitUntilClickable(tab);
      await tab.clickInOverlay({ selector: { attribute: ['class', 'hang-up'] } });
    },
    ...hungUp,
    // The agent ended it, though the PBX reports that it hung up itself.
    endedBy: 'caller',
    widget: ['caller'],
    popup: ['state_endedBy_caller'],
  },
  {
    name: 'the connection to Asterisk breaks while they talk, and comes back',
    far: { answer: 'byHand' },
    async whileTalking(station, _tab, far) {
      await breakConnection(station);
      await far.press('hangUp');
    },
    ...hungUp,
    endedBy: 'callee',
    widget: ['answered', 'callee'],
    popup: ['state_disconnected', 'state_endedBy_callee'],
  },
  {
    name: 'they hang up while the connection to Asterisk is broken',
    far: { answer: 'byHand' },
    whileTalking: (station, _tab, far) =>
      breakConnection(station, async () => {
        await far.press('hangUp');
        await until(async () => (await far.calls())[0]?.ended, 'the end at the phone');
      }),
    state: 'unknown',
    reason: 'other',
    invites: [1, 1],
    widget: ['unknown'],
    popup: ['state_unknown_other'],
  },
  {
    name: 'Asterisk is killed while they talk',
    async whileTalking({ asterisk, service }) {
      await asterisk.kill('SIGKILL');
      await asterisk.start();
      await service.untilReady();
    },
    state: 'unknown',
    reason: 'other',
    invites: [1, 1],
    widget: ['unknown'],
    popup: ['state_unknown_other'],
  },
  {
    name: 'the relay is killed while they talk, and started again after the end',
    far: { talkMs: 1500 },
    async whileTalking({ relay }) {
      await relay.stop('SIGKILL');
      await pause(2000);
      await relay.start();
    },
    ...hungUp,
    endedBy: 'callee',
    widget: ['answered', 'callee'],
    popup: ['state_disconnected', 'state_endedBy_callee'],
  },
  {
    name: 'the background of the browser is stopped while they talk',
    inFirefox: true,
    far: { talkMs: 2500 },
    whileTalking: ({ browser }) => browser.stopBackground(),
    ...hungUp,
    endedBy: 'callee',
    widget: ['answered', 'callee'],
    popup: ['state_disconnected', 'state_endedBy_callee'],
  },
];

/** Last: Asterisk repeats its INVITE to a phone that is off for half a minute, and the next story's phone would get it. */
const phoneOff: Story = {
  name: "the caller's phone is off",
  agent: 'off',
  state: 'failed',
  reason: 'callerNoAnswer',
  invites: [0, 0],
  widget: ['callerNotReached'],
  popup: ['state_failed_callerNoAnswer'],
};

const widgetText = (name: keyof Texts) => widgetLanguages.en![name];
const messageText = (name: keyof typeof messages) => messages[name].message;

/** Matches these texts one after the other, whatever stands in their places. */
function wordsOf<Name extends string>(names: readonly Name[], textOf: (name: Name) => string): RegExp {
  const patterns = names.map((name) =>
    textOf(name)
      .replaceAll(/[.*+?^()[\]|\\]/g, '\\$&')
      .replaceAll(/\{\}|\$\d/g, '.*'),
  );
  return new RegExp(patterns.join('.*'), 's');
}

/** Fails where the reported talk is not what the callee's phone saw. A call whose end is unknown claims none. */
function expectTrueTalk({ state, talkSeconds = 0 }: Call, atFar: PhoneCall | undefined): void {
  if (state !== 'disconnected') return;
  const { answeredAt, ended } = atFar ?? {};
  const talked = answeredAt !== undefined && ended ? (ended.at - answeredAt) / 1000 : 0;
  expect(Math.abs(talkSeconds - talked)).toBeLessThanOrEqual(1);
}

/** Breaks while the service has the request and has not answered: the caller does not know what became of it. */
const unanswered = [
  {
    name: 'the relay is killed before the service answers',
    async break({ relay }: PhoneWorkstation, release: () => void) {
      await relay.stop('SIGKILL');
      release();
      await relay.start();
    },
  },
  {
    name: 'the background of the browser is stopped before the service answers',
    async break({ browser }: PhoneWorkstation, release: () => void) {
      await browser.stopBackground();
      release();
    },
  },
];

describe.each<BrowserName>(['chromium', 'firefox'])('a click in %s', (browserName) => {
  let station: PhoneWorkstation;
  let popup: Tab;
  let tab: Tab;
  let phones: SipPhone[] = [];
  const ring = async (at: 'agent' | 'far', behaviour?: PhoneBehaviour) => {
    const phone = await startPhone(station.asterisk, at, behaviour);
    phones.push(phone);
    return phone;
  };

  beforeAll(async () => {
    station = await openPhoneWorkstation(browserName, { timeoutSeconds: 3 });
    await station.setUp();
    await station.enableSite('127.0.0.1');
    popup = await station.browser.newTab(
      `${station.browser.extensionOrigin}/extension/pages/popup/index.html`,
    );
    await until(() => popup.count('#dial-input'), 'the popup');
  });
  afterEach(async () => {
    await Promise.all(phones.map((phone) => phone.stop()));
    phones = [];
    await tab?.close();
    await callsFinished(station);
  });
  afterAll(() => station?.close());

  /** Newest first. */
  async function callsAtRelay(): Promise<Call[]> {
    const response = await fetch(`${station.relay.url}/v1/calls?limit=5`, {
      headers: { authorization: `Bearer ${station.key}` },
    }).catch(() => undefined);
    return response?.ok ? ((await response.json()) as { calls: Call[] }).calls : [];
  }

  /** Clicks the number on the contact's card, and nothing else. */
  async function click(written = number): Promise<void> {
    tab = await station.openTab(`${station.crmUrl}/crm/`);
    if (written !== number)
      await tab.evaluate(`void (document.querySelector('.note').textContent = ${JSON.stringify(written)})`);
    await clickNumber(tab, written);
  }

  const callAfter = (before: string | undefined, isWanted: (call: Call) => boolean) =>
    until(async () => {
      const [newest] = await callsAtRelay();
      return newest && newest.id !== before && isWanted(newest) && newest;
    }, 'the call at the relay');

  const widget = () =>
    tab.evaluate<{ state: string; text: string }>(`(() => {
      const call = document.querySelector('dialmark-widget')?.shadowRoot?.querySelector('[part=call]');
      return { state: call?.dataset.state ?? '', text: call?.innerText ?? '' }; })()`);

  /** What the popup says of this call: above, or among the recent ones once it has not just ended. */
  const inPopup = (id: string) =>
    popup.evaluate<{ state: string; text: string }>(`(() => {
      const call = document.querySelector('#live-call[data-id="${id}"], .call[data-id="${id}"]');
      return { state: call?.dataset.state ?? '', text: call?.textContent ?? '' }; })()`);

  /** Page, popup and widget show this state of this call. */
  async function everywhere({ id, state }: Pick<Call, 'id' | 'state'>): Promise<void> {
    await Promise.all([
      until(async () => (await inPopup(id)).state === state, `${state} in the popup`),
      until(async () => (await widget()).state === state, `${state} in the widget`),
      until(async () => (await cardState(tab)) === state, `${state} in the page`),
    ]);
  }

  async function expectTruth(story: Story): Promise<void> {
    const agent = typeof story.agent === 'string' ? undefined : await ring('agent', story.agent);
    if (story.agent === 'unregistered') {
      await station.asterisk.setRegistered(agentCode, false);
      onTestFinished(() => station.asterisk.setRegistered(agentCode, true));
    }
    const far = await ring('far', story.far);
    const before = (await callsAtRelay())[0]?.id;
    await click(story.number);
    if (story.far?.answer === 'byHand') {
      await until(() => far.invites(), "the callee's phone to ring");
      await far.press('answer');
    }
    if (story.whileTalking) {
      await everywhere(await callAfter(before, ({ state }) => state === 'connected'));
      await story.whileTalking(station, tab, far);
    }
    const call = await callAfter(before, isFinished);
    expect({ state: call.state, reason: call.reason, endedBy: call.endedBy }).toEqual({
      state: story.state,
      reason: story.reason,
      endedBy: story.endedBy ?? call.endedBy,
    });
    await everywhere(call);
    expect((await widget()).text).toMatch(wordsOf(story.widget, widgetText));
    expect((await inPopup(call.id)).text).toMatch(wordsOf(story.popup, messageText));
    expect((await partOf(tab, 'card'))?.text).toMatch(wordsOf(story.page ?? story.popup, messageText));
    expect([(await agent?.invites()) ?? 0, await far.invites()]).toEqual(story.invites);
    expectTrueTalk(call, (await far.calls())[0]);
  }

  it.each(stories.filter(({ inFirefox }) => browserName === 'chromium' || inFirefox))(
    'shows the truth where $name',
    expectTruth,
  );

  it.each(browserName === 'chromium' ? unanswered : [])(
    'rings once, showing the truth, where $name',
    async (fault) => {
      const agent = await ring('agent');
      const far = await ring('far', { talkMs: 1500 });
      const before = (await callsAtRelay())[0]?.id;
      const hold = station.ami.holdOriginate();
      await click();
      await hold.reached;
      await fault.break(station, hold.release);
      // Opens the extension's own page, as an agent does who wonders what became of the click.
      await popup.activate();
      const call = await callAfter(before, ({ state }) => state === 'disconnected');
      expect(call).toMatchObject({ reason: 'hangUp', endedBy: 'callee' });
      // A browser that got no reply in time, from a relay that was slow to come back, says that it does not know.
      // A relay that is back first reports the interrupted dial as unknown, and then its end.
      const notConfirmed = wordsOf(['state_unknown_relayNotConfirmed'], messageText);
      const shown = await until(async () => {
        const now = await inPopup(call.id);
        const isLast = now.state !== 'unknown' || notConfirmed.test(now.text);
        return isFinished({ state: now.state as Call['state'] }) && isLast && now;
      }, 'the end in the popup');
      expect(shown.text).toMatch(
        shown.state === 'unknown'
          ? notConfirmed
          : wordsOf(['state_disconnected', 'state_endedBy_callee'], messageText),
      );
      expect([await agent.invites(), await far.invites()]).toEqual([1, 1]);
    },
  );

  it.each(browserName === 'chromium' ? [phoneOff] : [])('shows the truth where $name', expectTruth);
});
