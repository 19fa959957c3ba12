import { expect, test } from 'vitest';
import { measureRowChange } from './row-change.ts';

const corpora = [
  {
    name: 'two',
    samples: [
      { text: 'Pedido 1134567890', region: 'BR' as const, spans: [] },
      { text: '(11) 3456-7890', region: 'BR' as const, spans: [[0, 14] as const] },
    ],
  },
];

test('shows what a row is worth in each corpus, then sets it back', () => {
  const [changed] = measureRowChange('otherWordNear', corpora);
  expect(changed).toMatchObject({
    corpus: 'two',
    before: { score: { found: 1 } },
    after: { score: { found: 2 } },
  });
  expect(measureRowChange('grouped=5', corpora)[0]).toMatchObject({ after: { score: { found: 1 } } });
});

test('a row of the countries moves what is dialled unasked', () => {
  const [changed] = measureRowChange('ownGrouping=-9', corpora);
  expect(changed).toMatchObject({ before: { unasked: { unasked: 1 } }, after: { unasked: { unasked: 0 } } });
});

test('names the rows where none has that name', () => {
  expect(() => measureRowChange('colour', corpora)).toThrow(/plus, brackets, .*ownGrouping/);
});
