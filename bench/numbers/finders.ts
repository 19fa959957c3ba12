/** The finders compared: ours, and libphonenumber-js at its two levels of leniency. */
import { type CountryCode, PhoneNumberMatcher } from 'libphonenumber-js/max';
import { judge } from '../../shared/numbers/reading/judge.ts';
import type { JudgeSettings } from '../../shared/numbers/reading/judge-settings.ts';
import { scan } from '../../shared/numbers/text/scan.ts';

export type Span = readonly [number, number];
export type Finder = (text: string, region: CountryCode | undefined) => Span[];

export const ours: Finder = (text, region) => {
  const settings: JudgeSettings = { country: region, extensions: [], dialRules: [] };
  const spans: Span[] = [];
  for (const candidate of scan(text)) {
    if ('number' in judge(candidate, settings)) spans.push([candidate.start, candidate.end]);
  }
  return spans;
};

/** `findPhoneNumbersInText` is VALID; POSSIBLE is the same matcher's other level, not in its typings. */
function peer(leniency: 'VALID' | 'POSSIBLE'): Finder {
  return (text, region) => {
    const options = { ...(region ? { defaultCountry: region } : {}), leniency, v2: true } as const;
    const matcher = new PhoneNumberMatcher(text, options);
    const spans: Span[] = [];
    while (matcher.hasNext()) {
      const match = matcher.next();
      if (match) spans.push([match.startsAt, match.endsAt]);
    }
    return spans;
  };
}

export const libphonenumberValid = peer('VALID');
export const libphonenumberPossible = peer('POSSIBLE');
