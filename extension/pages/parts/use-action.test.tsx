// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import type { Refusal } from '../../messages/result.ts';
import { useAction } from './use-action.ts';

let reply: (error?: Refusal) => void;
const send = vi.fn(
  () =>
    new Promise<Refusal | undefined>((resolve) => {
      reply = resolve;
    }),
);

function Sender() {
  const action = useAction(send);
  return (
    <button type="button" aria-disabled={action.isRunning} onClick={() => void action.run()}>
      {action.error?.code}
    </button>
  );
}

test('an action runs once at a time, without the failure of the try before', async () => {
  await act(async () => render(<Sender />, document.body));
  const button = document.querySelector('button')!;
  const press = () => act(async () => button.click());
  const answer = (error?: Refusal) => act(async () => reply(error));
  await press();
  await press();
  expect(send).toHaveBeenCalledTimes(1);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await answer({ code: 'relayOffline' });
  expect(button.textContent).toBe('relayOffline');
  expect(button.getAttribute('aria-disabled')).toBe('false');
  await press();
  expect(send).toHaveBeenCalledTimes(2);
  expect(button.textContent).toBe('');
  await answer();
  expect(button.textContent).toBe('');
});
