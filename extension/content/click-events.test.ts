// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import { feedEvents } from './click-events.ts';

/** jsdom's events are never trusted: these facts of them pass for it. */
vi.mock('./listen.ts', () => ({
  listen(types: string | string[], handle: (event: object) => unknown, signal: AbortSignal) {
    const asTrusted = (event: Event) =>
      handle({ isTrusted: true, target: event.target, composedPath: () => event.composedPath() });
    for (const type of [types].flat()) addEventListener(type, asTrusted, { capture: true, signal });
  },
}));
vi.stubGlobal('chrome', {});

const host = document.createElement('dialmark-overlay');
host.tabIndex = 1;
const field = document.createElement('input');
/** For each focus that came: whether it came to our skip link without our own code. */
let came: boolean[];
let isMovingFocus: boolean;

beforeEach(() => {
  document.body.replaceChildren(host, field);
  came = [];
  isMovingFocus = false;
  const controller = new AbortController();
  const parts = {
    gestures: {
      state: {},
      feed: (input: { type: string; isOurs: boolean }) => {
        if (input.type === 'focusIn') came.push(input.isOurs);
      },
    },
    overlay: { host, isMovingFocus: () => isMovingFocus, listen() {} },
    background: { isAlive: () => true },
    links: { around: () => undefined },
    signal: controller.signal,
    refresh() {},
  };
  feedEvents(parts as never);
  return () => controller.abort();
});

const leaveWindow = () => dispatchEvent(new Event('blur'));
/** A window that has the focus again sends this event to the focused element. */
const comeBack = () => document.activeElement!.dispatchEvent(new Event('focusin', { bubbles: true }));

test('the focus that the page gives to our skip link is known as such', () => {
  field.focus();
  host.focus();
  expect(came).toEqual([false, true]);
});

test('the focus that our own code gives back to our skip link changes nothing', () => {
  isMovingFocus = true;
  host.focus();
  expect(came).toEqual([]);
});

test('a window that comes back to our skip link changes nothing', () => {
  host.focus();
  leaveWindow();
  comeBack();
  expect(came).toEqual([true]);
});

test('a page that focuses our skip link while the window is away is known as such', () => {
  field.focus();
  leaveWindow();
  host.focus();
  expect(came).toEqual([false, true]);
});
