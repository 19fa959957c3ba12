/** Which of our three languages a page or person speaks, and the words in it. */
import { en, type Words } from './en.ts';
import { es } from './es.ts';
import { ptBr } from './pt-br.ts';

export const languages: Record<string, Words> = { en, pt: ptBr, es };

export interface Language {
  /** BCP 47, as given where we speak it: dates are written the way of its region. */
  tag: string;
  /** ISO 3166, where the tag names one. */
  region: string | undefined;
  words: Words;
}

/** The first wish that we speak; English where we speak none. @param wishes BCP 47 tags, the strongest first. */
export function chooseLanguage(wishes: readonly (string | null | undefined)[]): Language {
  for (const wish of [...wishes, 'en']) {
    const [, language, region] = /^(en|pt|es)(?:-(..))?$/i.exec(wish ?? '') ?? [];
    if (language)
      return { tag: wish!, region: region?.toUpperCase(), words: languages[language.toLowerCase()]! };
  }
  throw new Error('unreachable');
}
