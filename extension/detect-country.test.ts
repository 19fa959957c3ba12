import { expect, test } from 'vitest';
import { detectCountry } from './detect-country.ts';

test.each([
  [['pt-BR', 'en-US'], 'America/Sao_Paulo', 'BR'],
  // The language of the software says less than where the computer is.
  [['en-US', 'en'], 'America/Sao_Paulo', 'BR'],
  [['en-US', 'pt-BR'], 'America/Sao_Paulo', 'BR'],
  [['es', 'es-AR'], 'America/Argentina/Buenos_Aires', 'AR'],
  [['en'], 'Europe/Lisbon', 'PT'],
  [['es-MX'], 'UTC', 'MX'],
  [['en'], 'UTC', undefined],
])('detects by the languages %j in the time zone %s the country %s', (languages, timeZone, country) => {
  expect(detectCountry(languages, timeZone)).toBe(country);
});
