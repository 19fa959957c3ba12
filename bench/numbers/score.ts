/**
 * Precision and recall by exact spans. Texts without a number are negatives: anything found in them is a
 * false alarm.
 */
import type { Sample } from './corpus.ts';
import type { Finder, Span } from './finders.ts';

export interface Score {
  precision: number;
  recall: number;
  found: number;
  right: number;
  expected: number;
  negatives: number;
  negativesHit: number;
  /** The texts where something was missed or wrongly found. */
  differences: { sample: Sample; found: readonly Span[] }[];
}

export function score(find: Finder, samples: readonly Sample[]): Score {
  const total: Score = {
    precision: 1,
    recall: 1,
    found: 0,
    right: 0,
    expected: 0,
    negatives: 0,
    negativesHit: 0,
    differences: [],
  };
  for (const sample of samples) {
    const found = find(sample.text, sample.region);
    const right = found.filter(([start, end]) =>
      sample.spans.some((span) => span[0] === start && span[1] === end),
    ).length;
    total.found += found.length;
    total.right += right;
    total.expected += sample.spans.length;
    if (sample.spans.length === 0) {
      total.negatives++;
      if (found.length > 0) total.negativesHit++;
    }
    if (right !== found.length || right !== sample.spans.length) total.differences.push({ sample, found });
  }
  if (total.found > 0) total.precision = total.right / total.found;
  if (total.expected > 0) total.recall = total.right / total.expected;
  return total;
}
