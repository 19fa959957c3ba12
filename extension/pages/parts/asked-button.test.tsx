// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Refusal } from '../../messages/result.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
const { AskedButton } = await import('./asked-button.tsx');

const onYes = vi.fn(async (): Promise<Refusal | undefined> => undefined);
beforeEach(() => {
  vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
  onYes.mockClear();
  render(null, document.body);
  vi.useRealTimers();
});

/** Presses the button, then the yes. */
async function pressAndConfirm(): Promise<HTMLButtonElement> {
  const button = { id: 'forget', label: 'Forget', questionId: 'sure', question: 'Sure?', yes: 'Yes', onYes };
  await act(async () => render(<AskedButton {...button} />, document.body));
  const asking = document.querySelector<HTMLButtonElement>('#forget')!;
  asking.focus();
  await act(async () => asking.click());
  await act(async () => void vi.advanceTimersByTime(600));
  const yes = document.querySelector<HTMLButtonElement>('#sure-yes')!;
  yes.focus();
  const press = new MouseEvent('click', { bubbles: true });
  Object.defineProperty(press, 'timeStamp', { value: 10_000 });
  await act(async () => void yes.dispatchEvent(press));
  return asking;
}

test('a yes gives the focus back to the button that asked', async () => {
  const asking = await pressAndConfirm();
  expect(onYes).toHaveBeenCalledOnce();
  expect(document.activeElement).toBe(asking);
  expect(document.querySelector('[role=alert]')).toBeNull();
});

test('shows why the confirmed action failed', async () => {
  onYes.mockResolvedValueOnce({ code: 'relayOffline' });
  await pressAndConfirm();
  expect(document.querySelector('[role=alert]')?.textContent).toContain('The relay does not answer.');
});
