/** The story of one call, headless, by real mouse clicks; every step is awaited and named. */
import type { Page } from 'playwright';
import type { SandboxEvent } from '../sandbox/journal.ts';
import type { Sandbox } from '../sandbox/service.ts';
import { agent } from '../testing/extension/options-page.ts';
import { describeCall } from './print-calls.ts';
import { runStep } from './progress.ts';
import {
  clickStoryNumber,
  countMarkedNumbers,
  digitsToReach,
  numberToClick,
  playOnPage,
  type Story,
  timeoutMs,
} from './story-page.ts';

interface SandboxStory extends Story {
  sandbox: Sandbox;
}

export const playStory = (story: SandboxStory): Promise<void> =>
  playOnPage(story, (page, shot) => callAtSandbox(page, story.sandbox, shot));

async function callAtSandbox(page: Page, sandbox: Sandbox, shot: (name: string) => Promise<unknown>) {
  const widget = page.locator('dialmark-widget');
  await runStep('the CRM shows the widget', () =>
    widget.locator('[data-state], [part]').first().waitFor({ timeout: timeoutMs }),
  );
  await runStep(
    'numbers are marked',
    () => countMarkedNumbers(page),
    (count) => `${count} of them`,
  );
  await shot('1-numbers-marked');

  // Subscribed before the click: the first of them may come within milliseconds.
  const received = nextSandboxEvent(sandbox, 'call');
  const replied = nextSandboxEvent(sandbox, 'reply');
  const notified = nextSandboxEvent(
    sandbox,
    'notification',
    ({ notification }) => 'hangupdate' in notification.body,
  );
  await runStep(`clicked ${numberToClick}`, () => clickStoryNumber(page));

  const call = await runStep(
    '/call received',
    async () => {
      const { call } = await received;
      const { fields, status } = call;
      if (status !== undefined)
        throw new Error(`it was refused with HTTP ${status}: ${JSON.stringify(fields)}`);
      if (fields.from !== agent || !String(fields.to).endsWith(digitsToReach))
        throw new Error(`expected from ${agent} to …${digitsToReach}, got ${describeCall(fields)}`);
      return call;
    },
    ({ fields }) => describeCall(fields),
  );
  await runStep(
    'Trying',
    async () => {
      await replied;
      await widget.locator('[data-state^=calling]').first().waitFor({ timeout: timeoutMs });
    },
    () => 'the widget shows the call',
  );
  await shot('2-calling');
  const notification = await runStep(
    'hung up',
    async () => {
      const { notification } = await notified;
      const { status, error } = notification;
      if (status === undefined || status >= 300)
        throw new Error(`the relay answered ${status ?? error} to the notification`);
      return notification;
    },
    ({ body }) => `after ${body.billsec} s`,
  );
  await runStep(
    'shown by the widget',
    async () => {
      const ended = widget.locator('[data-state=disconnected]').first();
      await ended.waitFor({ timeout: timeoutMs });
      // biome-ignore lint/performance/useDomNodeTextContent: what is seen, with space between its parts.
      return (await ended.innerText()).replace(/\s+/g, ' ').trim();
    },
    (text) => text.slice(0, 100),
  );
  await shot('3-hung-up');
  if (sandbox.calls.length !== 1) throw new Error(`one click placed ${sandbox.calls.length} calls`);
  if (notification.callid !== call.callid) throw new Error('the notification belongs to another call');
}

function nextSandboxEvent<Kind extends SandboxEvent['kind']>(
  sandbox: Sandbox,
  kind: Kind,
  isWanted: (event: Extract<SandboxEvent, { kind: Kind }>) => boolean = () => true,
): Promise<Extract<SandboxEvent, { kind: Kind }>> {
  const event = new Promise<Extract<SandboxEvent, { kind: Kind }>>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`nothing within ${timeoutMs / 1000} s`)), timeoutMs);
    const stop = sandbox.listen((one) => {
      const event = one as Extract<SandboxEvent, { kind: Kind }>;
      if (one.kind !== kind || !isWanted(event)) return;
      clearTimeout(late);
      stop();
      resolve(event);
    });
  });
  // An earlier step may fail first.
  event.catch(() => {});
  return event;
}
