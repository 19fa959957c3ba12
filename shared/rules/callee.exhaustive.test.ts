/** The property of `callee.property.test.ts` over other numbers in every run, and many more of them. */
import fc from 'fast-check';
import { it } from 'vitest';
import { isListedNumberFound } from '../../testing/numbers/listed-numbers.ts';

const writtenForms = 100_000;

it('finds a listed number in 100,000 written forms', () => {
  fc.assert(isListedNumberFound, { numRuns: writtenForms });
});
