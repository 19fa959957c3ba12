/** Parses and formats what a person types or a link names, beside the candidates found in texts. */
import { AsYouType } from 'libphonenumber-js/max';
import type { Judgement, PageHints } from '../number.ts';
import type { NumberSettings } from '../number-settings.ts';
import { parseNumberText } from '../text/number-text.ts';
import { internalExtension, judge } from './judge.ts';

const SCHEME = /^(?:tel|callto|sips?|sms|whatsapp):(?:\/\/)?/i;

/** What a person types into a dial field, or a `tel:`, `callto:` or `sip:` URI. @param hints of the page that has the link. */
export function parseDialInput(input: string, settings: NumberSettings, hints?: PageHints): Judgement {
  let text = input.trim().slice(0, 128);
  const scheme = SCHEME.exec(text);
  if (scheme) {
    text = decoded(text.slice(scheme[0].length));
    const extension = /;ext=([\d.-]+)/i.exec(text)?.[1];
    text = text.split(/[;?@]/)[0]! + (extension ? ` ext ${extension.replace(/\D/g, '')}` : '');
  }
  const judged = judge({ text, contextWords: 'phone' }, settings, hints);
  if ('number' in judged || judged.why !== 'tooShort') return judged;
  const { digits, plus } = parseNumberText(text);
  if (plus || digits.length < 3) return judged;
  return {
    number: { national: digits, country: settings.country, type: 'short', display: digits },
    certainty: 'certain',
    alternatives: [],
    evidence: 0,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** How to show what is being typed, after each digit. */
export function formatAsTyped(input: string, settings: NumberSettings): string {
  const parsed = parseNumberText(input);
  if (internalExtension(parsed, settings) || !/^[+\d][\d\s().-]*$/.test(input.trim())) return input;
  return new AsYouType(settings.country).input((parsed.plus ? '+' : '') + parsed.digits);
}
