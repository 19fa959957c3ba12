// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { sampleEntry } from '../../gallery/states/samples.ts';
import { ok, type Result } from '../../messages/result.ts';
import type { RecordingCheck } from '../../messages/views.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.mock('../parts/host-permission.ts', () => ({ requestOrigins: async () => true }));
const checks: ((reply: Result<RecordingCheck>) => void)[] = [];
vi.mock('../parts/send-request.ts', () => ({
  sendRequest: () => new Promise((resolve) => checks.push(resolve)),
}));
const { Recording } = await import('./recording.tsx');

const recordingUrl = 'https://relay.example.com/a?id=1';
const { id, call: sample } = sampleEntry('+55 48 3222-1000', {});
const call = { ...sample, recordingUrl, audioFile: 'b.mp3' };
const other = () => document.querySelector<HTMLButtonElement>('button.plain:not(.check-recording)');
const button = () => document.querySelector<HTMLButtonElement>('.check-recording')!;
beforeEach(async () => {
  checks.length = 0;
  await act(async () => render(null, document.body));
  await act(async () => render(<Recording id={id} call={call} />, document.body));
});
const press = () => act(async () => button().click());

test('the button keeps the focus while a recording is checked, where a second press does nothing', async () => {
  button().focus();
  await press();
  await eventually(() => expect(checks).toHaveLength(1));
  expect(button().matches(':disabled')).toBe(false);
  await press();
  await act(async () => checks[0]!(ok({ result: 'missing' })));
  await eventually(() => expect(button().ariaDisabled).toBe('false'));
  expect(checks).toHaveLength(1);
  expect(document.activeElement).toBe(button());
});

test('the focus goes from the check of the other address, whose button disappears, to the first', async () => {
  await press();
  await eventually(() => expect(checks).toHaveLength(1));
  await act(async () => checks[0]!(ok({ result: 'missing' })));
  await eventually(() => expect(other()).not.toBeNull());
  other()!.focus();
  await act(async () => other()!.click());
  await eventually(() => expect(checks).toHaveLength(2));
  expect(document.activeElement).toBe(button());
});
