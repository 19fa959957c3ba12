/** What an agent does with the numbers in a page: reads the marks, points at one, clicks it, and follows the call. */

import { type Call, isFinished } from '../../shared/call/call.ts';
import type { BrowserAtRelay } from '../browser-at-relay.ts';
import type { OverlayPart, Point, Tab } from '../browsers/browser.ts';
import { until } from '../until.ts';
import { ownPage, readyToDial } from './ask-background.ts';

/** Numbers painted in the page now, as they read. */
export const paintedNumbers = (tab: Tab): Promise<string[]> =>
  tab.evaluate(`(() => { const read = [];
    (CSS.highlights.get('dialmark-number') ?? CSS.highlights.get('dialmark-number-plain'))?.forEach((range) => {
      const live = new Range();
      live.setStart(range.startContainer, range.startOffset);
      live.setEnd(range.endContainer, range.endOffset);
      read.push(live.toString());
    });
    return read; })()`);

/** Part of our overlay with this class. */
export const partOf = async (tab: Tab, name: string): Promise<OverlayPart | undefined> =>
  (await tab.overlay()).find(({ attributes }) => attributes.class === name);

/** The state that our card in the page shows. */
export const cardState = async (tab: Tab): Promise<string | undefined> =>
  (await partOf(tab, 'card'))?.attributes['data-state'];

/** Presses the button of the card that hangs up. */
export const clickHangUp = (tab: Tab): Promise<void> =>
  tab.clickInOverlay({ selector: { attribute: ['class', 'hang-up'] } });

/** Opens the page in front, and waits until so many numbers are painted. */
export async function openWithMarks(tab: Tab, url: string, count: number): Promise<void> {
  await tab.goto(url);
  await tab.activate();
  await until(async () => (await paintedNumbers(tab)).length === count, 'the marks');
}

/** Moves the pointer onto the text, whether it has a tip or not. @returns where the pointer is. */
export async function pointAt(tab: Tab, text: string): Promise<Point> {
  const at = await tab.pointOfText(text);
  await tab.moveTo({ x: at.x + 1, y: at.y });
  await tab.moveTo(at);
  return at;
}

/** Moves over the text until our tip is there. @returns where the pointer is. */
export async function hoverText(tab: Tab, text: string): Promise<Point> {
  await tab.activate();
  let tries = 0;
  return until(async () => {
    const at = await tab.pointOfText(text);
    // The tip of a number that was just dialled comes back once the pointer has left the number.
    if (tries++ > 0) await tab.moveTo({ x: at.x, y: 1 });
    await tab.moveTo({ x: at.x + 1, y: at.y });
    await tab.moveTo(at);
    // The tip of the number that was under the pointer before is gone then.
    await framesAfter(tab, 0);
    return (await partOf(tab, 'tip')) !== undefined && at;
  }, `our tip beside ${text}`);
}

/**
 * Waits until a click counts. The tip must be shown for 300 ms (`minVisibleMs`). 100 ms later, Chromium reports with a
 * frame whether the page paints over it. So this waits for that time, and then for two frames.
 */
export async function waitUntilClickable(tab: Tab): Promise<void> {
  await tab.activate();
  await framesAfter(tab, 450);
}

/** Draws for so many milliseconds, then two frames more. The reports of those frames have arrived then. */
export const framesAfter = (tab: Tab, milliseconds: number): Promise<unknown> =>
  tab.evaluate(`new Promise((resolve) => {
    const end = performance.now() + ${milliseconds};
    const draw = () => requestAnimationFrame(performance.now() < end ? draw : () =>
      requestAnimationFrame(() => setTimeout(resolve, 0, true)));
    draw();
  })`);

/** Points at the number until a click counts: it stands still, and its tip has been shown for long enough. */
export function pointAtNumber(tab: Tab, text: string): Promise<Point> {
  return until(async () => {
    const at = await hoverText(tab, text);
    await waitUntilClickable(tab);
    const now = await tab.pointOfText(text);
    return now.x === at.x && now.y === at.y && at;
  }, `${text} to stand still`);
}

export async function clickNumber(tab: Tab, text: string): Promise<void> {
  await tab.clickAt(await pointAtNumber(tab, text));
}

/**
 * Waits until the next call may be placed: every call has ended. Then ends the cool-down.
 */
export async function callsFinished(workstation: BrowserAtRelay): Promise<void> {
  await until(async () => {
    const response = await fetch(`${workstation.relay.url}/v1/calls?limit=5`, {
      headers: { authorization: `Bearer ${workstation.key}` },
    });
    const { calls } = (await response.json()) as { calls: Call[] };
    return calls.every(isFinished);
  }, 'the end of every call');
  // The relay reports the end to the extension, which refuses the next call until then.
  await readyToDial(await ownPage(workstation));
}

/** The call page that asks about a number, once it has opened with its button. @param digits of its address. */
export async function openedCallPage({ browser }: BrowserAtRelay, digits: string): Promise<Tab> {
  const opened = await until(async () => {
    for (const each of await browser.openTabs()) {
      const url = await each.url().catch(() => '');
      if (/call\/index\.html\?u=/.test(url) && url.includes(digits)) return each;
    }
    return undefined;
  }, 'our page');
  await until(() => opened.count('#call-button'), 'its button');
  return opened;
}
