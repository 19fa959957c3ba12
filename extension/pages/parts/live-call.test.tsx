// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { type Call, newCall } from '../../../shared/call/call.ts';
import type { HistoryEntry } from '../../messages/views.ts';
import { LiveCall } from './live-call.tsx';

vi.mock('webextension-polyfill', () => ({ default: {} }));

vi.stubGlobal(
  'IntersectionObserver',
  class {
    observe() {}
    disconnect() {}
  },
);

const call = newCall({ id: 'A'.repeat(22), from: '1105', to: '4832221000', now: '2026-05-04T13:05:10.000Z' });
const entry = (fields: Partial<Call>, failure?: HistoryEntry['failure']): HistoryEntry => ({
  id: call.id,
  call: { ...call, ...fields },
  display: '+55 48 3222-1000',
  note: '',
  followed: 'relay',
  sentence: '',
  failure,
});
const notSent = { state: 'failed', reason: 'notSent' } as const;

test.each<[string, HistoryEntry, string]>([
  ['the agent did not answer', entry({ state: 'failed', reason: 'callerNoAnswer' }), 'primary'],
  ['the network failed', entry(notSent), 'primary'],
  ['the relay was down', entry(notSent, 'relayUnreachable'), 'primary'],
  ['the organisation refused the number', entry(notSent, 'relayRefused'), 'none'],
  ['the key was wrong', entry(notSent, 'wrongKey'), 'none'],
  ['the service refused the call', entry({ state: 'failed', reason: 'refused' }), 'none'],
  ['the phone may ring', entry({ state: 'unknown', reason: 'notAnswered' }), ''],
  ['the two talked', entry({ state: 'disconnected', reason: 'hangUp', talkSeconds: 4 }), 'none'],
])('the button that calls again, where %s', async (_why, shown, expected) => {
  const root = document.createElement('div');
  await act(async () => {
    render(<LiveCall entry={shown} onAgain={() => {}} />, root);
  });
  const button = root.querySelector('#call-again');
  expect(button ? button.className : 'none').toBe(expected);
});

test('a press on the button that calls again counts 300 ms after it appeared', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const root = document.createElement('div');
  let calls = 0;
  await act(async () => {
    render(<LiveCall entry={entry(notSent)} onAgain={() => calls++} />, root);
  });
  const button = root.querySelector<HTMLElement>('#call-again')!;
  button.click();
  expect(calls).toBe(0);
  now.mockReturnValue(300);
  button.click();
  expect(calls).toBe(1);
  now.mockRestore();
});

test.each([
  [true, 1],
  [false, 0],
])('hanging up is offered where the relay accepts the key: %s', async (mayHangUp, buttons) => {
  const root = document.createElement('div');
  const live = entry({ state: 'connected', canHangUp: true });
  await act(async () => {
    render(<LiveCall entry={live} mayHangUp={mayHangUp} onAgain={() => {}} />, root);
  });
  expect(root.querySelectorAll('#hang-up')).toHaveLength(buttons);
  await act(async () => render(null, root));
});

test('the focus goes from a button that goes with the call to its title', async () => {
  const show = (fields: Partial<Call>) =>
    act(async () => render(<LiveCall entry={entry(fields)} onAgain={() => {}} />, document.body));
  await show({ state: 'connected', canHangUp: true });
  document.querySelector<HTMLElement>('#hang-up')!.focus();
  await show({ state: 'disconnected', reason: 'hangUp', canHangUp: false });
  expect(document.querySelector('#hang-up')).toBeNull();
  expect(document.activeElement).toBe(document.querySelector('#live-call h2'));
});
