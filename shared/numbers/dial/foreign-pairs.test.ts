import fc from 'fast-check';
import { type CountryCode, getExampleNumber, parsePhoneNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, test } from 'vitest';
import type { NumberSettings } from '../number-settings.ts';
import { defaultGuardPolicy } from './allow-or-refuse.ts';
import { resolve } from './resolve.ts';

const countries: readonly CountryCode[] = [
  'BR',
  'US',
  'DE',
  'FR',
  'GB',
  'IN',
  'MX',
  'ES',
  'PT',
  'IT',
  'AR',
  'TR',
];
const now = new Date('2026-05-04T13:00:00Z');

/** What the page says of where it is. */
const pages = {
  'a page in its language': (country: CountryCode) => ({ lang: languages[country] ?? 'en' }),
  'a page at its domain': (country: CountryCode) => ({
    topLevelDomain: domains[country] ?? country.toLowerCase(),
  }),
};
const languages: Partial<Record<CountryCode, string>> = {
  BR: 'pt-BR',
  US: 'en-US',
  DE: 'de',
  FR: 'fr',
  GB: 'en-GB',
  IN: 'hi',
  MX: 'es-MX',
  ES: 'es-ES',
  PT: 'pt-PT',
  IT: 'it',
  AR: 'es-AR',
  TR: 'tr',
};
const domains: Partial<Record<CountryCode, string>> = { GB: 'uk' };

const pairs = countries.flatMap((agent) =>
  countries.filter((country) => country !== agent).map((country) => [agent, country] as const),
);

describe.each(Object.entries(pages))('on %s', (_, hintsOf) => {
  test.each(pairs)('an agent of %s is asked about a national number of %s', (agent, country) => {
    const example = getExampleNumber(country, examples)!;
    const { lang, topLevelDomain }: { lang?: string; topLevelDomain?: string } = hintsOf(country);
    const text = example.formatNational();
    const number = { text, contextWords: 'phone' as const, ...(lang && { lang }) };
    const settings = {
      numbers: { country: agent, extensions: [], dialRules: [] },
      guard: defaultGuardPolicy,
    };
    const resolved = resolve({ kind: 'page', number, topLevelDomain }, settings, { now });
    if ('why' in resolved) throw new Error(`${text} is not a number: ${resolved.why}`);
    expect(resolved.decision.verdict, `${text} is dialled as ${resolved.number.display}`).toBe('confirm');
    expect([resolved, ...resolved.alternatives].map((each) => each.number.e164)).toContain(example.number);
  });
});

/** A landline of each country; a mobile is libphonenumber's example. */
const landlines: Readonly<Record<string, string>> = {
  BR: '+551133552596',
  US: '+12127397593',
  DE: '+4930231251234',
  FR: '+33142681234',
  GB: '+442079460123',
  IN: '+912226543210',
  MX: '+525512345678',
  ES: '+34934123456',
  PT: '+351213456789',
  IT: '+390622130201',
  AR: '+541143215678',
  TR: '+902123456789',
};
const forms = {
  'in its groups': (text: string) => text,
  'without groups': (text: string) => text.replace(/\D/g, ''),
  'with dots': (text: string) => text.replace(/\D+/g, '.').replace(/^\./, ''),
};

describe.each(Object.entries(pages))('on %s', (place, hintsOf) => {
  test.each(Object.entries(forms))('no number written %s is dialled unasked as an own one', (_, write) => {
    const number = fc.record({
      pair: fc.constantFrom(...pairs),
      isMobile: fc.boolean(),
      last: fc.integer({ min: 0, max: 9999 }),
      contextWords: fc.constantFrom('phone' as const, 'none' as const),
    });
    fc.assert(
      fc.property(number, ({ pair: [agent, country], isMobile, last, contextWords }) => {
        const any = isMobile ? getExampleNumber(country, examples)!.number : landlines[country]!;
        const example = parsePhoneNumber(any.slice(0, -4) + String(last).padStart(4, '0'));
        const text = write(example.formatNational());
        const { lang, topLevelDomain }: { lang?: string; topLevelDomain?: string } = hintsOf(country);
        // Programs in English are used everywhere: digits without groups are the agent's there.
        const isEnglish = place === 'a page in its language' && lang!.startsWith('en');
        fc.pre(example.isValid() && !(isEnglish && /^\d+$/.test(text)));
        const settings = {
          numbers: { country: agent, extensions: [], dialRules: [] },
          guard: defaultGuardPolicy,
        };
        const read = { text, contextWords, ...(lang && { lang }) };
        const resolved = resolve({ kind: 'page', number: read, topLevelDomain }, settings, { now });
        expect('why' in resolved || resolved.decision.verdict).not.toBe('allow');
      }),
      { numRuns: 1000 },
    );
  });
});

test('an agent on a page in English without a region is not asked about an own number', () => {
  const number = { text: '222 123 4567', contextWords: 'phone', lang: 'en' } as const;
  const numbers: NumberSettings = { country: 'MX', extensions: [], dialRules: [] };
  const own = { numbers, guard: defaultGuardPolicy };
  expect(resolve({ kind: 'page', number }, own, { now })).toMatchObject({ decision: { verdict: 'allow' } });
});
