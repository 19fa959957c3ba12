// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { AskedButton } from './asked-button.tsx';

test('a yes gives the focus back to the button that asked', async () => {
  vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  const onYes = vi.fn();
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
  expect(onYes).toHaveBeenCalledOnce();
  expect(document.activeElement).toBe(asking);
  vi.useRealTimers();
});
