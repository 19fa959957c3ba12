/** How many numbers of the agent's own country are dialled without a question about their country. */

import { judge } from '../../shared/numbers/reading/judge.ts';
import { scan } from '../../shared/numbers/text/scan.ts';
import type { Sample } from './corpus.ts';

interface Unasked {
  /** Numbers written without a country that the plan of the text's region has. */
  own: number;
  unasked: number;
  /** Those that are asked about, as written. */
  asked: string[];
}

export function countUnasked(samples: readonly Sample[]): Unasked {
  const total: Unasked = { own: 0, unasked: 0, asked: [] };
  for (const { text, region: country, spans } of samples) {
    if (!country) continue;
    for (const candidate of scan(text)) {
      if (!spans.some(([start, end]) => start === candidate.start && end === candidate.end)) continue;
      if (/^\D*(?:\+|00)/.test(candidate.text)) continue;
      const judged = judge(candidate, { country, extensions: [], dialRules: [] });
      if (!('number' in judged)) continue;
      const isOwn = [judged.number, ...judged.alternatives].some(
        (number) => number.country === country && number.type !== 'unknown',
      );
      if (!isOwn) continue;
      total.own++;
      if (judged.certainty === 'certain') total.unasked++;
      else total.asked.push(`${country} ${candidate.text}`);
    }
  }
  return total;
}
