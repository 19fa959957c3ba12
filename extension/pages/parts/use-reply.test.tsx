// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { ok, refuse } from '../../messages/result.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
const sendRequest = vi.hoisted(() => vi.fn());
vi.mock('./send-request.ts', () => ({ sendRequest }));
const { useReply } = await import('./use-reply.ts');

function Day() {
  const [day] = useReply('page.myDay', {}, ['calls', 'settings']);
  return <p>{day.state === 'ready' && day.value.calls}</p>;
}

test('a panel that is open at midnight asks for the figures of the new day', async () => {
  vi.useFakeTimers({ now: new Date(2026, 4, 4, 23, 58, 30) });
  sendRequest.mockImplementation(async () => ok({ calls: new Date().getDate() === 4 ? 31 : 0 }));
  await act(async () => render(<Day />, document.body));
  await act(async () => void (await vi.advanceTimersByTimeAsync(60_000)));
  expect(document.body.textContent).toBe('31');
  expect(sendRequest).toHaveBeenCalledOnce();
  await act(async () => void (await vi.advanceTimersByTimeAsync(120_000)));
  expect(document.body.textContent).toBe('0');
  vi.useRealTimers();
});

test('a request that failed is sent again until it is answered', async () => {
  vi.useFakeTimers({ now: new Date(2026, 4, 4, 12) });
  sendRequest
    .mockReset()
    .mockResolvedValueOnce(refuse('relayOffline'))
    .mockResolvedValue(ok({ calls: 7 }));
  render(null, document.body);
  await act(async () => render(<Day />, document.body));
  expect(document.body.textContent).toBe('');
  await act(async () => void (await vi.advanceTimersByTimeAsync(31_000)));
  expect(document.body.textContent).toBe('7');
  await act(async () => void (await vi.advanceTimersByTimeAsync(90_000)));
  expect(sendRequest).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});
