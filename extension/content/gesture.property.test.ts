import { expect, test } from 'vitest';
import { tryGestures } from '../../testing/extension/gesture-actions.ts';
import { gestureStep } from './gesture.ts';

test('dials only what the tip showed for 300 ms around a trusted press, whatever the page does', () => {
  expect(tryGestures(gestureStep, 3_000)).toBeGreaterThan(50);
}, 60_000);
