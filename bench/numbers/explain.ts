/** Lists why a text's digits are taken for a phone number or not: the rows of the evidence with their points. */
import type { CountryCode } from 'libphonenumber-js/max';
import type { Evidence, EvidenceTable } from '../../shared/numbers/evidence.ts';
import type { DroppedDigits } from '../../shared/numbers/number.ts';
import { countryEvidence } from '../../shared/numbers/reading/country-evidence.ts';
import { judge } from '../../shared/numbers/reading/judge.ts';
import { candidateEvidence } from '../../shared/numbers/text/candidate-evidence.ts';
import { scan } from '../../shared/numbers/text/scan.ts';

const rowsOf = <Name extends string>(table: EvidenceTable<Name>, evidence: Evidence): string =>
  table
    .explain(evidence)
    .map(({ name, points }) => `${points > 0 ? '+' : ''}${points} ${name}`)
    .join(', ') || 'no rows';

/** @param text what to explain; `BR: text` for an agent of another country than the United States. */
export function explain(text: string): string {
  const [, named, rest] = /^(?:([A-Z]{2}): )?(.*)$/s.exec(text)!;
  const country = (named ?? 'US') as CountryCode;
  const dropped: DroppedDigits[] = [];
  const candidates = scan(rest!, dropped).map((candidate) => {
    const judged = judge(candidate, { country, extensions: [], dialRules: [] });
    const lines = [`${candidate.text}: candidate by ${rowsOf(candidateEvidence, candidate.evidence)}`];
    if ('why' in judged) lines.push(`  not a number: ${judged.why}`);
    else
      for (const number of [judged.number, ...judged.alternatives])
        lines.push(`  ${number.display} (${number.country ?? '-'}), ${judged.certainty}`);
    if ('number' in judged) lines.push(`  ${rowsOf(countryEvidence, judged.evidence)}`);
    return { start: candidate.start, lines };
  });
  const others = dropped.map(({ start, end, evidence }) => ({
    start,
    lines: [`${rest!.slice(start, end)}: dropped by ${rowsOf(candidateEvidence, evidence)}`],
  }));
  const all = [...candidates, ...others].sort((one, other) => one.start - other.start);
  return all.flatMap(({ lines }) => lines).join('\n') || 'no digits of a number';
}
