// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import type { Layers } from './cover.ts';
import { createButtons } from './overlay-button.ts';

test('the wait for the browser’s report is no time in which a question was read', async () => {
  const add = vi.spyOn(EventTarget.prototype, 'addEventListener');
  let now = 1000;
  let raisedAt = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const layer = {
    coverOf: () => 'clear' as const,
    raise: vi.fn(),
    raisedAt: () => raisedAt,
    // The page has covered the question during the click, and we went above the cover.
    readLayersOver: async () => {
      raisedAt ||= 1010;
      now += 400;
      return {} as Layers;
    },
  };
  const onYes = vi.fn();
  const makeButton = createButtons(layer, new AbortController().signal);
  const yes = makeButton('yes', 'Call', onYes, { part: document.body, placedAt: () => 0 });
  document.body.append(yes);
  const click = add.mock.calls.findLast(([type]) => type === 'click')?.[1] as (
    event: object,
  ) => Promise<void>;

  await click({ isTrusted: true });
  expect(onYes).not.toHaveBeenCalled();

  await click({ isTrusted: true });
  expect(onYes).toHaveBeenCalledOnce();
  vi.restoreAllMocks();
});
