import { plainWords } from '../../../shared/plain-words.ts';

/** Whether the headings, labels or helps of a section have every word of a search, with or without accents. */
export function hasWords(section: HTMLElement | null, search: string): boolean {
  if (!section) return false;
  if (section.querySelector('[aria-invalid="true"]')) return true;
  // Not the lists of countries: each country is in several.
  const named = section.querySelectorAll('h2, h3, label, legend, summary, p, td, button, a');
  const said = [...named]
    // Nor our own name, in which "dial" would be found everywhere.
    .map(({ textContent }) => textContent.replaceAll('Dialmark', ''))
    .join(' ');
  const words = plainWords(search.trim()).split(/\s+/);
  return words.every((word) => plainWords(said).includes(word));
}
