// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { ok } from '../../messages/result.ts';
import type { DayView } from '../../messages/wrap-up.ts';
import { chooseLanguage, text } from '../../text.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
const sendRequest = vi.hoisted(() => vi.fn());
vi.mock('../parts/send-request.ts', () => ({ sendRequest }));
const { MyDay } = await import('./my-day.tsx');

const offline: DayView = {
  ...{ calls: 3, answered: 1, talkSeconds: 60, outcomes: [], withoutOutcome: 0 },
  isOffline: true,
};

test('the figures of this browser alone give way to those of the relay once it answers', async () => {
  vi.useFakeTimers();
  chooseLanguage('en');
  sendRequest.mockResolvedValueOnce(ok(offline));
  sendRequest.mockResolvedValue(ok({ ...offline, calls: 42, callbacks: 2, isOffline: false }));
  await act(async () => render(<MyDay />, document.body));
  await act(async () => void (await vi.advanceTimersByTimeAsync(1000)));
  expect(document.body.textContent).toContain(text('myDay_offline'));
  expect(document.body.textContent).not.toContain(text('callbacks_title'));
  await act(async () => void (await vi.advanceTimersByTimeAsync(31_000)));
  expect(document.body.textContent).not.toContain(text('myDay_offline'));
  expect(document.body.textContent).toContain('42');
  expect(document.body.textContent).toContain(text('callbacks_title'));
  vi.useRealTimers();
});
