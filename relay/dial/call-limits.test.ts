import { expect, it } from 'vitest';
import { talliesOfLimits } from './call-limits.ts';

const settings = { maxCallsPerMinute: 1, maxCallsPerDestinationPerMinute: 1, maxCallsPerDay: 1 };
type Callee = readonly [key: string, digits: string];
const bucketsOf = ([key, digits]: Callee): string[] =>
  talliesOfLimits(settings, 'agent-1', key, digits, 0)
    .map(({ bucket }) => bucket)
    .filter((bucket) => bucket.startsWith('minute/to/'));

it.each([
  ['the forms of one number', ['+554833220001', '4833220001'], ['+554833220001', '04833220001']],
  [
    'equal digits of callers in two countries',
    ['+554833220001', '4833220001'],
    ['=4833220001', '4833220001'],
  ],
] as const)('counts %s as one destination', (_what, one, other) => {
  const first = bucketsOf(one);
  expect(bucketsOf(other).some((bucket) => first.includes(bucket))).toBe(true);
});
