// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import { createOverlay, type PageOverlay } from './overlay.ts';

let root: ShadowRoot;
let overlay: PageOverlay;
const shown = () => root.querySelector<HTMLElement>('.card')?.dataset.state;

beforeEach(() => {
  vi.useFakeTimers();
  // jsdom has neither a top layer nor sheets to share.
  vi.stubGlobal(
    'CSSStyleSheet',
    class {
      replaceSync() {}
    },
  );
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  const matches = Element.prototype.matches;
  let open = false;
  vi.spyOn(Element.prototype, 'matches').mockImplementation(function (this: Element, selector) {
    return selector === ':popover-open' ? open : matches.call(this, selector);
  });
  Object.assign(HTMLElement.prototype, {
    showPopover: () => (open = true),
    hidePopover: () => (open = false),
  });
  const attach = Element.prototype.attachShadow;
  vi.spyOn(Element.prototype, 'attachShadow').mockImplementation(function (this: Element, options) {
    root = attach.call(this, options);
    return root;
  });
  overlay = createOverlay(new AbortController().signal);
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  };
});

const question = ['Call?', 'The page shows another number.', ['Call']] as const;

test('hides the card of a finished call after ten seconds', () => {
  overlay.showCard('disconnected', 'x', 'It ended.');
  vi.advanceTimersByTime(9_000);
  expect(shown()).toBe('disconnected');
  vi.advanceTimersByTime(2_000);
  expect(shown()).toBeUndefined();
});

test('keeps a newer card when the timer of a finished call ends', () => {
  overlay.showCard('disconnected', 'x', 'It ended.');
  overlay.showCard('error', 'y', 'It cannot be called.');
  vi.advanceTimersByTime(60_000);
  expect(shown()).toBe('error');

  overlay.showCard('disconnected', 'x', 'It ended.');
  void overlay.confirm(...question);
  vi.advanceTimersByTime(60_000);
  expect(shown()).toBe('confirm');
});

test('shows an update only after an open question is answered', async () => {
  const asked = overlay.confirm(...question);
  overlay.showCard('disconnected', 'x', 'It ended.', true);
  expect(shown()).toBe('confirm');
  root.querySelector<HTMLElement>('.no')!.click(); // Not trusted.
  expect(shown()).toBe('confirm');
  overlay.hideCard();
  expect(await asked).toBeUndefined();
  expect(shown()).toBe('disconnected');
});

test('answers an open question with no when another call is started', async () => {
  const asked = overlay.confirm(...question);
  overlay.showCard('initiating', 'y', 'Placing the call…');
  expect(await asked).toBeUndefined();
  expect(shown()).toBe('initiating');
});

test('runs a clock from the answer on, until another card is shown', () => {
  vi.setSystemTime('2026-11-22T10:00:12.000Z');
  const connectedAt = '2026-11-22T10:00:00.000Z';
  overlay.showCard('connected', 'x', 'Connected', true, { connectedAt });
  expect(root.querySelector('.line')!.textContent).toBe('Connected 0:12');
  vi.advanceTimersByTime(50_000);
  expect(root.querySelector('.clock')!.textContent).toBe('1:02');
  expect(root.querySelector('.clock')!.role).toBe('timer');
  overlay.showCard('error', 'y', 'It cannot be called.');
  expect(vi.getTimerCount()).toBe(0);
});

test('shows a button that hangs up where the call can be, for trusted clicks alone', () => {
  const onHangUp = vi.fn();
  overlay.showCard('callingCallee', 'x', 'Ringing x', true);
  expect(root.querySelector('.hang-up')).toBeNull();
  overlay.showCard('connected', 'x', 'Connected', true, { onHangUp });
  root.querySelector<HTMLElement>('.hang-up')!.click(); // Not trusted.
  expect(onHangUp).not.toHaveBeenCalled();
});
