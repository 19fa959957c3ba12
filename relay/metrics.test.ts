import { expect, it } from 'vitest';
import { Metrics } from './metrics.ts';

it('keeps the time of the newest accepted notification when one is refused', () => {
  const metrics = new Metrics();
  metrics.notified('unknownCall');
  expect(metrics.lastNotificationAt).toBeUndefined();
  metrics.notified('repeat');
  expect(metrics.lastNotificationAt).toBeInstanceOf(Date);
});
