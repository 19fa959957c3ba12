// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { DeliberateButton } from './deliberate-button.tsx';

let now = 0;
let presses = 0;
let reportCover: (isVisible: boolean) => void;
let button: HTMLButtonElement;

beforeEach(() => {
  now = presses = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(report: (entries: object[]) => void) {
        reportCover = (isVisible) => report([{ isVisible }]);
      }
      observe() {}
      disconnect() {}
    },
  );
  const root = document.createElement('div');
  document.body.replaceChildren(root);
  act(() =>
    render(
      <DeliberateButton id="call" isFocused onPress={() => presses++}>
        Call
      </DeliberateButton>,
      root,
    ),
  );
  button = root.querySelector('button')!;
  return () => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  };
});

const click = (pointerType: string) =>
  button.dispatchEvent(Object.assign(new MouseEvent('click', { bubbles: true }), { pointerType }));

test.each<[string, string, () => void]>([
  ['appears', 'mouse', () => {}],
  ['comes to the front', 'mouse', () => document.dispatchEvent(new Event('visibilitychange'))],
  [
    'is uncovered',
    'mouse',
    () => {
      reportCover(false);
      reportCover(true);
    },
  ],
  ['gets a window with the focus, by key', '', () => window.dispatchEvent(new Event('focus'))],
])('a press counts only 300 ms after the button %s', (_, pointerType, change) => {
  now += 1_000;
  if (_ === 'appears') now = 0;
  change();
  now += 299;
  click(pointerType);
  expect(presses).toBe(0);
  now += 1;
  click(pointerType);
  expect(presses).toBe(1);
});

test('a press on a covered button does not count', () => {
  now += 1_000;
  reportCover(false);
  now += 1_000;
  click('mouse');
  expect(presses).toBe(0);
});

test('a held key does not press the button again', () => {
  const key = new KeyboardEvent('keydown', { key: 'Enter', repeat: true, cancelable: true, bubbles: true });
  button.dispatchEvent(key);
  expect(key.defaultPrevented).toBe(true);
});
