// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import type { ContentSettings } from '../messages/content.ts';
import type { ChipCall } from '../messages/views.ts';
import { createOverlay, type PageOverlay } from './overlay.ts';

let root: ShadowRoot;
let overlay: PageOverlay;
const shown = () => root.querySelector<HTMLElement>('.card')?.dataset.state;

beforeEach(() => {
  vi.stubGlobal('chrome', {});
  vi.useFakeTimers();
  // jsdom has neither a top layer nor sheets to share.
  vi.stubGlobal(
    'CSSStyleSheet',
    class {
      replaceSync() {}
    },
  );
  class Observer {
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', Observer);
  vi.stubGlobal('ResizeObserver', Observer);
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

const at = '2026-11-22T10:00:00.000Z';
const call = (fields: Partial<ChipCall> & Pick<ChipCall, 'state'>): ChipCall => ({
  id: 'A'.repeat(22),
  display: 'x',
  sentence: fields.state,
  createdAt: at,
  changedAt: at,
  ...fields,
});
const showCall = (fields: Parameters<typeof call>[0], onHangUp = () => {}) =>
  overlay.showCall(call(fields), { onHangUp: async () => onHangUp(), onWrapUp: () => {} });
const refusal = { state: 'error', title: 'y', sentence: 'It cannot be called.' } as const;
/** The words of a part and of what is in it, as they are shown. */
const wordsOf = (selector: string) => {
  const part = root.querySelector<HTMLElement>(selector);
  return (
    part && [part, ...part.querySelectorAll<HTMLElement>('*')].map((each) => each.dataset.words).join('')
  );
};
const words = () => wordsOf('.card');

test('hides the card of a finished call after ten seconds', () => {
  showCall({ state: 'disconnected', isDone: true });
  vi.advanceTimersByTime(9_000);
  expect(shown()).toBe('disconnected');
  vi.advanceTimersByTime(2_000);
  expect(shown()).toBeUndefined();
});

test('keeps the button of a call while its state changes, but makes one for another call', () => {
  const button = () => root.querySelector('.hang-up');
  showCall({ state: 'callingCaller', canHangUp: true });
  const first = button();
  expect(first).not.toBeNull();
  showCall({ state: 'connected', canHangUp: true, sentence: 'The two talk.' });
  expect(button()).toBe(first);
  expect(words()).toContain('The two talk.');
  showCall({ state: 'callingCaller', canHangUp: true, id: 'B'.repeat(22) });
  expect(button()).not.toBe(first);
  showCall({ state: 'connected', id: 'B'.repeat(22) });
  expect(button()).toBeNull();
});

test('keeps the card of a finished call that asks the agent for something', () => {
  showCall({ state: 'failed' });
  vi.advanceTimersByTime(60_000);
  expect(shown()).toBe('failed');
});

test('keeps a refusal until it is closed, above the call that goes on', () => {
  showCall({ state: 'callingCaller', canHangUp: true });
  overlay.showNotice(refusal);
  showCall({ state: 'connected', canHangUp: true });
  expect(shown()).toBe('error');
  expect(words()).toMatch(/^yIt cannot be called\.xconnected/);
  expect(root.querySelector('.hang-up')).not.toBeNull();
  showCall({ state: 'disconnected', isDone: true });
  vi.advanceTimersByTime(60_000);
  expect(words()).toMatch(/^yIt cannot be called\.×$/);
  expect(overlay.hideCard()).toBe(true);
  expect(shown()).toBeUndefined();
});

test('shows a call instead of the notice that it is being placed', () => {
  overlay.showNotice({ state: 'initiating', title: 'x', sentence: 'Placing the call…' });
  expect(shown()).toBe('initiating');
  showCall({ state: 'callingCaller' });
  expect(words()).toBe('xcallingCaller×');
});

test('keeps a question when the timer of a finished call ends', () => {
  showCall({ state: 'disconnected', isDone: true });
  void overlay.confirm(...question);
  vi.advanceTimersByTime(60_000);
  expect(shown()).toBe('confirm');
});

test('shows an update only after an open question is answered', async () => {
  const asked = overlay.confirm(...question);
  showCall({ state: 'disconnected' });
  expect(shown()).toBe('confirm');
  root.querySelector<HTMLElement>('.no')!.click(); // Not trusted.
  expect(shown()).toBe('confirm');
  overlay.hideCard();
  expect(await asked).toBeUndefined();
  expect(shown()).toBe('disconnected');
});

test('answers an open question with no when another call is started', async () => {
  const asked = overlay.confirm(...question);
  overlay.showNotice({ state: 'initiating', title: 'y', sentence: 'Placing the call…' });
  expect(await asked).toBeUndefined();
  expect(shown()).toBe('initiating');
});

test('runs a clock from the answer on, until the call ends', () => {
  vi.setSystemTime('2026-11-22T10:00:12.000Z');
  showCall({ state: 'connected', sentence: 'Connected', connectedAt: at });
  expect(wordsOf('.line')).toBe('Connected 0:12');
  vi.advanceTimersByTime(50_000);
  expect(wordsOf('.clock')).toBe('1:02');
  expect(root.querySelector('.clock')!.role).toBe('timer');
  showCall({ state: 'failed' });
  expect(vi.getTimerCount()).toBe(0);
});

test('shows a button that hangs up where the call can be, for trusted clicks alone', () => {
  const onHangUp = vi.fn();
  showCall({ state: 'callingCallee' }, onHangUp);
  expect(root.querySelector('.hang-up')).toBeNull();
  showCall({ state: 'connected', canHangUp: true }, onHangUp);
  root.querySelector<HTMLElement>('.hang-up')!.click(); // Not trusted.
  expect(onHangUp).not.toHaveBeenCalled();
});

test('moves no button of a call while a refusal comes or goes', () => {
  showCall({ state: 'connected', canHangUp: true });
  const observer = new MutationObserver(() => {});
  observer.observe(root.querySelector('.card')!, { childList: true, subtree: true });
  const moved = () => {
    const nodes = observer.takeRecords().flatMap(({ removedNodes }) => [...removedNodes]);
    return nodes.filter((node) => node instanceof Element && node.matches('.actions, button'));
  };
  overlay.showNotice(refusal);
  expect(words()).toMatch(/^yIt cannot be called\.xconnected/);
  expect(moved()).toEqual([]);
  overlay.hideCard();
  expect(words()).toMatch(/^xconnected/);
  expect(moved()).toEqual([]);
});

test('removes the failure of a hang-up once its call can be hung up no more', () => {
  const failure = {
    state: 'error',
    title: 'x',
    sentence: 'The call may go on.',
    call: 'A'.repeat(22),
  } as const;
  showCall({ state: 'callingCallee', canHangUp: true });
  overlay.showNotice(failure);
  showCall({ state: 'connected', canHangUp: true });
  expect(words()).toContain(failure.sentence);
  showCall({ state: 'disconnected', isDone: true });
  expect(words()).not.toContain(failure.sentence);
  expect(shown()).toBe('disconnected');
});

test('keeps the line for what the team knows where nothing is known', () => {
  const show = () =>
    overlay.show({ display: '190', to: '190', verdict: 'allow' }, 'tip', undefined, () => {});
  expect(show()).toBe(false);
  overlay.applySettings({ texts: {}, hasTeamLine: true } as unknown as ContentSettings);
  expect(show()).toBe(true);
  overlay.showTeamLine('');
  expect(root.querySelector<HTMLElement>('.team')!.hidden).toBe(false);
});

test('shows a button that opens the panel where the call has a wrap-up', () => {
  showCall({ state: 'callingCallee', canHangUp: true });
  const hangUp = root.querySelector('.hang-up')!;
  expect(root.querySelector('.wrap-up')).toBeNull();
  showCall({ state: 'connected', canHangUp: true, canWrapUp: true });
  expect([root.querySelector('.hang-up'), root.querySelector('.wrap-up')?.parentNode]).toEqual([
    hangUp,
    hangUp.parentNode,
  ]);
  showCall({ state: 'disconnected', canWrapUp: true });
  expect(root.querySelector('.actions')!.children).toHaveLength(1);
});
