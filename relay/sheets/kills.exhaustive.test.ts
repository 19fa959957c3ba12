/** `npm run bench -- sheets` is the longer form. */
import { expect, it } from 'vitest';
import { workWhileKilling } from '../../testing/relay/sheet-kills.ts';

it('calls each item once while relays are killed or browsers closed', { timeout: 600_000 }, async () => {
  const figures = await workWhileKilling({
    agents: 10,
    items: 600,
    leaseSeconds: 3,
    killEveryMs: 1500,
    abandonedShare: 0.02,
  });
  expect(figures).toMatchObject({ calledTwice: 0, claimedTwice: 0, notDone: 0 });
  // Behind both relays' restarts, at most.
  expect(figures.longestLateMs).toBeLessThan(30_000);
  expect(figures.kills).toBeGreaterThan(0);
  expect(figures.abandoned).toBeGreaterThan(0);
});
