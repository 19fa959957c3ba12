import type { VNode } from 'preact';
import { expect, it } from 'vitest';
import { withNumbers } from './unbroken-numbers.ts';

it.each([
  ['Call +55 48 3222-1000?', ['+55 48 3222-1000']],
  ['then (48) 3222-1000', ['(48) 3222-1000']],
  [
    'The page shows “011 4000-1234”, but this link calls +1 212-736-5000.',
    ['011 4000-1234', '+1 212-736-5000'],
  ],
  ['Dials 00351211234567. When they answer, dial 22.', ['00351211234567']],
  ['You called this number 40 s ago.', []],
  ['Your phone 1105 rings first.', []],
])('keeps each number of %j in an element of its own', (sentence, numbers) => {
  const parts = withNumbers(sentence) as (string | VNode<{ children: string }>)[];
  const inElements = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.props.children]));
  expect(inElements).toEqual(numbers);
  expect(parts.map((part) => (typeof part === 'string' ? part : part.props.children)).join('')).toBe(
    sentence,
  );
});
