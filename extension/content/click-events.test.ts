// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import { feedEvents } from './click-events.ts';

vi.mock('./listen.ts', () => import('../../testing/extension/trusted-listen.ts'));
vi.stubGlobal('chrome', {});

const host = document.createElement('dialmark-overlay');
host.tabIndex = 1;
let field: HTMLElement;
let other: HTMLElement;
/** For each focus that came: to our skip link without our own code, by Tab. */
let came: { isOurs: boolean; wasTab: boolean }[];
let focusing: Element | undefined;

beforeEach(() => {
  field = document.createElement('input');
  other = document.createElement('input');
  document.body.replaceChildren(host, field, other);
  came = [];
  focusing = undefined;
  const controller = new AbortController();
  const parts = {
    gestures: {
      state: {},
      feed({ type, isOurs, wasTab }: { type: string; isOurs: boolean; wasTab: boolean }) {
        if (type === 'focusIn') came.push({ isOurs, wasTab });
      },
    },
    overlay: {
      host,
      isFocusing: (element: Element) => element === focusing,
      hasFocus: () => false,
      listen() {},
    },
    background: { isAlive: () => true },
    links: { around: () => undefined },
    signal: controller.signal,
    refresh() {},
  };
  field.focus();
  feedEvents(parts as never);
  return () => controller.abort();
});

const leaveWindow = () => dispatchEvent(new Event('blur'));
/** A window that has the focus again sends this event to the focused element. */
const comeBack = () => document.activeElement!.dispatchEvent(new Event('focusin', { bubbles: true }));
const pressTab = () =>
  document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true }));
const byPage = { isOurs: true, wasTab: false };

test('the focus that Tab gives to our skip link is known as such', () => {
  pressTab();
  host.focus();
  expect(came).toEqual([{ isOurs: true, wasTab: true }]);
});

test('the focus that the page gives to our skip link is known as such', () => {
  host.focus();
  expect(came).toEqual([byPage]);
});

test('the focus that our own code gives back to our skip link changes nothing', () => {
  focusing = host;
  host.focus();
  expect(came).toEqual([]);
});

test('the focus that the page gives to our skip link while we move it is known as such', () => {
  focusing = other;
  host.focus();
  expect(came).toEqual([byPage]);
});

test('a window that comes back to our skip link changes nothing', () => {
  host.focus();
  leaveWindow();
  comeBack();
  expect(came).toEqual([byPage]);
});

test('a page that focuses our skip link while the window is away is known as such', () => {
  leaveWindow();
  host.focus();
  expect(came).toEqual([byPage]);
});

test.each([
  ['at the focus of the next', 'focus', () => other],
  ['at the blur of the last', 'blur', () => field],
])('a page that moves the focus of Tab on %s field is known as such', (_, type, at) => {
  at().addEventListener(type, () => host.focus(), { once: true });
  pressTab();
  other.focus();
  expect(came.filter(({ isOurs }) => isOurs)).toEqual([byPage]);
});

test('a focus of Tab that changes nothing does not count for the next focus', () => {
  pressTab();
  focusing = host;
  host.focus();
  focusing = undefined;
  other.focus();
  expect(came).toEqual([{ isOurs: false, wasTab: false }]);
});
