import { expect, it } from 'vitest';
import { startInOrder } from './start-in-order.ts';

it('ends what was started once, in the reverse order, before a second stop resolves', async () => {
  const ended: string[] = [];
  let release = () => {};
  const { stop } = await startInOrder(async (onStop) => {
    onStop(() => void ended.push('first'));
    onStop(() => new Promise<void>((resolve) => (release = resolve)));
    return {};
  });
  const stops = Promise.all([stop(), stop().then(() => ended.push('second stop'))]);
  release();
  await stops;
  expect(ended).toEqual(['first', 'second stop']);
});
