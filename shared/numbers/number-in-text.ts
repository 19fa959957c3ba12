import { type CountryCode, isSupportedCountry } from 'libphonenumber-js/max';
import { z } from 'zod/mini';

/** The most characters of a number's text or address. A longer text is never one number. */
const numberText = z.string().check(z.maxLength(200));

/** A number as it was found: all that is needed to judge it again. */
export const NumberInText = z.object({
  /** The stretch of text, or the telephone address of a link. */
  text: numberText,
  /**
   * The words around it. `phone`: "tel", "ramal", "call" …; `mobile`: "cel", "WhatsApp" …; `label`: a label that the
   * lists do not know; `none`: none of these.
   */
  contextWords: z.enum(['phone', 'mobile', 'label', 'none']),
  /**
   * The number in full, if the text abbreviates it: `3456-7891` for the `7891` of `3456-7890/7891`. It is judged before
   * `text`.
   */
  whole: z.optional(numberText),
  /** The country that the nearest word or the other numbers of the text name. */
  near: z.optional(z.custom<CountryCode>((value) => typeof value === 'string' && isSupportedCountry(value))),
  /** The language of the page. */
  lang: z.optional(z.string().check(z.maxLength(35))),
});
export type NumberInText = z.infer<typeof NumberInText>;
export type ContextWords = NumberInText['contextWords'];
