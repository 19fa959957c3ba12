/** What an agent does with the numbers in a page: sees them marked, looks at one, clicks it, and sees how the call goes. */
import type { OverlayPart, Point, Tab } from '../browsers/browser.ts';
import { until } from '../browsers/until.ts';
import type { Desk } from '../fixtures.ts';

/** Numbers painted in the page now, as they read. */
export const paintedNumbers = (tab: Tab): Promise<string[]> =>
  tab.evaluate(`(() => { const read = [];
    (CSS.highlights.get('dialmark-number') ?? CSS.highlights.get('dialmark-number-plain'))?.forEach((range) => { const live = new Range();
      live.setStart(range.startContainer, range.startOffset); live.setEnd(range.endContainer, range.endOffset); read.push(live.toString()); });
    return read; })()`);

/** Part of our overlay with this class. */
export const partOf = async (tab: Tab, name: string): Promise<OverlayPart | undefined> =>
  (await tab.overlay()).find(({ attributes }) => attributes.class === name);

/** The state that our card in the page shows. */
export const cardState = async (tab: Tab): Promise<string | undefined> =>
  (await partOf(tab, 'card'))?.attributes['data-state'];

/** Moves over the text until our tip is there. @returns where the pointer is. */
export async function lookAt(tab: Tab, text: string): Promise<Point> {
  await tab.activate();
  const at = await tab.pointOfText(text);
  await until(async () => {
    await tab.moveTo({ x: at.x + 1, y: at.y });
    await tab.moveTo(at);
    return (await partOf(tab, 'tip')) !== undefined;
  }, `our tip beside ${text}`);
  return at;
}

/**
 * What has just appeared takes no click for 300 ms (`settleTime`), and Chromium tells after 100 ms more whether the page paints over
 * it: real time, and nothing announces its end.
 */
export const settle = () => new Promise((resolve) => setTimeout(resolve, 450));

/** Looks at the number until a click there acts. */
export async function pointAtNumber(tab: Tab, text: string): Promise<Point> {
  const at = await lookAt(tab, text);
  await settle();
  return at;
}

export async function clickNumber(tab: Tab, text: string): Promise<void> {
  await tab.clickAt(await pointAtNumber(tab, text));
}

/** Milliseconds after a click in which the next is refused (`coolDown`), and a little. */
const pause = 1_600;

/** One call at a time is allowed, and none right after another: a story leaves nothing behind. */
export async function callsOver(desk: Desk): Promise<void> {
  await until(async () => {
    const response = await fetch(`${desk.relay.url}/v1/calls?limit=5`, {
      headers: { authorization: `Bearer ${desk.key}` },
    });
    const { calls } = (await response.json()) as { calls: { state: string; createdAt: string }[] };
    return calls.every(
      ({ state, createdAt }) =>
        state !== 'initiating' && state !== 'callingCaller' && Date.now() - Date.parse(createdAt) > pause,
    );
  }, 'the end of every call');
}

/**
 * Does what places a call to this number, and waits for its end.
 * @returns all that was dialled since the calls counted `before`: what was tried in between placed nothing.
 */
export async function onlyThisDials(
  desk: Desk,
  before: number,
  act: () => Promise<void>,
  to: string,
): Promise<string[]> {
  await act();
  await until(
    () => desk.sandbox.calls.some((call, index) => index >= before && call.fields.to === to),
    `the call to ${to}`,
  );
  await callsOver(desk);
  return desk.sandbox.calls.slice(before).map((call) => String(call.fields.to));
}
