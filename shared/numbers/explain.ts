/** Which rows of the evidence decided about a number, for a person who asks why. */
import type { Evidence } from './evidence.ts';
import { countryEvidence } from './reading/country-evidence.ts';
import { CANDIDATE, candidateEvidence } from './text/candidate-evidence.ts';
import { scanWithDropped } from './text/scan.ts';

type RowName = (typeof candidateEvidence.names)[number] | (typeof countryEvidence.names)[number];

export interface Explanation {
  /** Whether the first digits of the text would be looked up in a numbering plan, were the text on a page. */
  isCandidate: boolean;
  rows: readonly { name: RowName; points: number }[];
}

/** @param country the evidence for the country of the number, where one was weighed. */
export function explain(text: string, country: Evidence): Explanation {
  const { found, dropped } = scanWithDropped(text);
  const [first] = [...found, ...dropped].sort((one, other) => one.start - other.start);
  const evidence = first?.evidence ?? 0;
  return {
    isCandidate: first !== undefined && candidateEvidence.sum(evidence) >= CANDIDATE,
    rows: [...candidateEvidence.explain(evidence), ...countryEvidence.explain(country)],
  };
}
