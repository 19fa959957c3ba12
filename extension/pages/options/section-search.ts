import { plainWords } from '../../../shared/plain-words.ts';

/**
 * Whether a section's texts have every word of a search, with or without accents. A section with a field to correct
 * always matches.
 */
export function hasWords(section: HTMLElement | null, search: string): boolean {
  if (!section) return false;
  if (section.querySelector('[aria-invalid="true"]')) return true;
  // Lists of countries are left out: each country is in several lists.
  const named = section.querySelectorAll('h2, h3, label, legend, summary, p, td, button, a');
  const said = [...named]
    // Our own name is left out: "dial" would be found everywhere.
    .map(({ textContent }) => textContent.replaceAll('Dialmark', ''))
    .join(' ');
  const words = plainWords(search.trim()).split(/\s+/);
  return words.every((word) => plainWords(said).includes(word));
}
