// @vitest-environment jsdom
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import {
  browser,
  find,
  listCalls,
  open,
  replies,
  sendRequest,
  type,
} from '../../../testing/extension/popup-in-memory.ts';
import { sampleEntry } from '../../gallery/states/samples.ts';
import { ok } from '../../messages/result.ts';

vi.mock('webextension-polyfill', () => ({ default: browser }));
vi.mock('../../browser-name.ts', () => ({ browserName: 'chrome' }));
vi.mock('../parts/send-request.ts', () => ({ sendRequest }));
const exportCalls = vi.hoisted(() => vi.fn());
vi.mock('./export-calls.ts', () => ({ exportCalls }));

test('a live region says that a search of the history has found nothing', async () => {
  await open();
  await listCalls(sampleEntry('+55 48 3222-1001', {}));
  const section = find('#recent').closest('section')!;
  const regions = [...section.querySelectorAll('[role=status]')];
  replies['page.history'] = ok({ entries: [] });
  await type('ana', find<HTMLInputElement>('#search'));
  const texts = () => regions.map(({ textContent }) => textContent);
  await eventually(() => expect(texts()).toContain('Nothing found.'));
});

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
