import { en, type Texts } from './en.ts';
import { es } from './es.ts';
import { ptBr } from './pt-br.ts';

export const languages: Record<string, Texts> = { en, pt: ptBr, es };

export interface Language {
  /** BCP 47, as preferred: its region decides how dates are written. */
  tag: string;
  /** ISO 3166, where the tag names one. */
  region: string | undefined;
  texts: Texts;
}

/** The first supported language, else English. @param preferred BCP 47 tags, the most preferred first. */
export function chooseLanguage(preferred: readonly (string | null | undefined)[]): Language {
  for (const tag of [...preferred, 'en']) {
    const [, language, region] = /^(en|pt|es)(?:-(..))?$/i.exec(tag ?? '') ?? [];
    if (language)
      return { tag: tag!, region: region?.toUpperCase(), texts: languages[language.toLowerCase()]! };
  }
  throw new Error('unreachable');
}
