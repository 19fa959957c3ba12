/** Judges and formats what a person types. Numbers in the text of pages go to `judge` directly. */
import { AsYouType } from 'libphonenumber-js/max';
import type { Judgement, PageHints } from '../number.ts';
import type { NumberSettings } from '../number-settings.ts';
import { parseNumberText } from '../text/number-text.ts';
import { readTelephoneAddress } from '../text/telephone-address.ts';
import { internalExtension, judge } from './judge.ts';

/** Judges what a person types, or what a telephone address contains. @param hints of the page with the link. */
export function parseDialInput(input: string, settings: NumberSettings, hints?: PageHints): Judgement {
  const text = dialText(input);
  const judged = judge({ text, contextWords: 'phone' }, settings, hints);
  if ('number' in judged) {
    const isWhole = judged.number.type !== 'unknown' && judged.certainty === 'certain';
    return isWhole || !endsInLetterKeys.test(text) ? judged : { why: 'notPossible' };
  }
  if (judged.why !== 'tooShort') return judged;
  const { digits, plus } = parseNumberText(text);
  if (plus || digits.length < 3 || hasOtherKeys.test(text)) return judged;
  return {
    number: { national: digits, country: settings.country, type: 'short', display: digits },
    certainty: 'certain',
    alternatives: [],
    evidence: 0,
  };
}

/** A short number does not have such keys. *100# is not the code 100, and 0800 FLOWERS is not 0800. */
const hasOtherKeys = /^[*#]|[*#]$|\d(-?\p{L}|[\s-]*\p{Lu}{2})\D*$/u;

/** 1-800-555-HELP: the letters are the last digits of the number. */
const endsInLetterKeys = /\d-?\p{Lu}{2}\D*$/u;

/**
 * The number in the input as written. A telephone address loses its scheme. Its one comma becomes two, which are a
 * pause in a text.
 */
export const dialText = (input: string): string =>
  (readTelephoneAddress(input)?.text.replace(',', ',,') ?? input).trim().slice(0, 128);

/** How to show what is being typed, after each digit. */
export function formatAsTyped(input: string, settings: NumberSettings): string {
  const parsed = parseNumberText(input);
  if (internalExtension(parsed, settings) || !/^[+\d][\d\s().-]*$/.test(input.trim())) return input;
  return new AsYouType(settings.country).input((parsed.plus ? '+' : '') + parsed.digits);
}
