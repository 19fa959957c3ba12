/** What one row of the evidence is worth: precision and recall on every corpus with it, and without it or with other points. */

import { countryEvidence } from '../../shared/numbers/reading/country-evidence.ts';
import { candidateEvidence } from '../../shared/numbers/text/candidate-evidence.ts';
import type { NamedCorpus } from './corpus.ts';
import { ours } from './finders.ts';
import { type Score, score } from './score.ts';
import { countUnasked, type Unasked } from './unasked.ts';

interface Figures {
  score: Score;
  unasked: Unasked;
}

interface RowChange {
  corpus: string;
  before: Figures;
  after: Figures;
}

const tables = [candidateEvidence, countryEvidence] as const;

/**
 * @param change a row's name, or `name=points`.
 * @throws an Error that lists the rows, where none has that name.
 */
export function measureRowChange(change: string, corpora: readonly NamedCorpus[]): RowChange[] {
  const [row, points = '0'] = change.split('=') as [string, string?];
  const before = corpora.map(figuresOf);
  const restore = setRow(row, Number(points));
  try {
    return corpora.map((corpus, index) => ({
      corpus: corpus.name,
      before: before[index]!,
      after: figuresOf(corpus),
    }));
  } finally {
    restore();
  }
}

const figuresOf = ({ samples }: NamedCorpus): Figures => ({
  score: score(ours, samples),
  unasked: countUnasked(samples),
});

/** @returns what sets the row back. */
function setRow(row: string, points: number): () => void {
  if (Number.isNaN(points))
    throw new Error('Points are a number: --without grouped, or --without grouped=1.');
  for (const table of tables as readonly {
    names: readonly string[];
    setPoints(name: string, to: number): number;
  }[]) {
    if (!table.names.includes(row)) continue;
    const was = table.setPoints(row, points);
    return () => table.setPoints(row, was);
  }
  throw new Error(`There is no row "${row}". Rows: ${tables.flatMap(({ names }) => names).join(', ')}.`);
}
