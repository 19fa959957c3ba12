// @vitest-environment jsdom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
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

const recordingUrl = 'https://relay.example.com/a.mp3';
const { id, call } = sampleEntry('+55 48 3222-1000', {});
const button = () => document.querySelector<HTMLButtonElement>('.check-recording')!;
const press = () => act(async () => button().click());

test('the button keeps the focus while a recording is checked, where a second press does nothing', async () => {
  await act(async () => render(<Recording id={id} call={{ ...call, recordingUrl }} />, document.body));
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
