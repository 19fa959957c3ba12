/** The country's code that a form shows apart from the number, in a list or a button before its field. */
import { parentOf } from './tree.ts';

/** "+44", "🇬🇧 +44", "United Kingdom (+44)" */
const onlyACode = /^\P{Nd}{0,40}(\+\p{Nd}{1,3})\P{Nd}{0,3}$/u;
/** Boxes climbed from the field to the one that holds both. */
const maxClimb = 2;
/** Parts of such a box: list, field, and perhaps a button behind it. */
const maxParts = 3;

/** @returns the code with a space behind it, empty where none is shown. */
export function diallingCodeBefore(field: Element): string {
  let at: Element | null = field;
  for (let climbed = 0; at && climbed <= maxClimb; climbed++) {
    const code = codeIn(at.previousElementSibling);
    if (code) return `${code} `;
    at = parentOf(at);
    if (at && at.childElementCount > maxParts) return '';
  }
  return '';
}

function codeIn(before: Element | null): string | undefined {
  // A list with a field of its own belongs to that.
  if (!before || before.querySelector('input,textarea')) return undefined;
  const list = before.localName === 'select' ? before : before.querySelector('select');
  // biome-ignore lint/performance/useDomNodeTextContent: a list of countries that it unfolds is not rendered.
  const { innerText = before.textContent } = before as HTMLElement;
  const shown = list ? (list as HTMLSelectElement).selectedOptions[0]?.text : innerText;
  return onlyACode.exec(shown?.trim() ?? '')?.[1];
}
