// @vitest-environment jsdom
import { render } from 'preact';
import { expect, it } from 'vitest';
import { pickLanguage } from '../texts.ts';
import { Callflow } from './callflow.tsx';

/** The table's texts, row by row. */
function rowsFor(ids: readonly string[]): string[][] {
  const root = document.createElement('div');
  const legs = ids.map((id, index) => ({ id, callerNumber: `110${index}`, state: 'Up' }));
  render(<Callflow legs={legs} language={pickLanguage(['en'])} />, root);
  return [...root.querySelectorAll('tr')].map((row) => [...row.children].map((cell) => cell.textContent));
}

it('shows when each channel began, after the first one', () => {
  expect(rowsFor(['1763735720.41', '1763735732.42'])).toEqual([
    ['Time', 'Party', 'Status'],
    ['0:00', '1100', 'Answered'],
    ['0:12', '1101', 'Answered'],
  ]);
});

it.each([[['1763735720.41']], [['PJSIP/1105-1', 'PJSIP/1106-2']]])(
  'has no column of times where %j has none to show',
  (ids) => {
    for (const row of rowsFor(ids)) expect(row).toHaveLength(2);
    expect(rowsFor(ids)[0]).toEqual(['Party', 'Status']);
  },
);
