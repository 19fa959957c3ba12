// @vitest-environment jsdom
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { browser, find, listCalls, open, sendRequest } from '../../../testing/extension/popup-in-memory.ts';
import { sampleEntry } from '../../gallery/states/samples.ts';

vi.mock('webextension-polyfill', () => ({ default: browser }));
vi.mock('../../browser-name.ts', () => ({ browserName: 'chrome' }));
vi.mock('../parts/send-request.ts', () => ({ sendRequest }));
const exportCalls = vi.hoisted(() => vi.fn());
vi.mock('./export-calls.ts', () => ({ exportCalls }));

test('a long history is exported once, however often the button is pressed meanwhile', async () => {
  await open();
  await listCalls(sampleEntry('+55 48 3222-1001', {}));
  let end = () => {};
  exportCalls.mockReturnValue(
    new Promise((resolve) => {
      end = () => resolve({ count: 10_000 });
    }),
  );
  const press = () => act(async () => find('#export-csv').click());
  await press();
  await press();
  expect(exportCalls).toHaveBeenCalledOnce();
  expect(find('#export-csv').ariaDisabled).toBe('true');
  await act(async () => end());
  await press();
  expect(exportCalls).toHaveBeenCalledTimes(2);
});
