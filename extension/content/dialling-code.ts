/**
 * Reads the codes that a form shows apart from the number. The country code is before it or in a field, the area code
 * in a field.
 */
import { type FormField, textIn, wordsOfField } from './form-field.ts';
import { withAncestors } from './tree.ts';
import { areaCodeField } from './words.ts';

/** "+44", "🇬🇧 +44", "United Kingdom (+44)" */
const onlyACode = /^\P{Nd}{0,40}(\+\p{Nd}{1,3})\P{Nd}{0,3}$/u;
const onlyAnAreaCode = /^\(?(\p{Nd}{1,5})\)?$/u;
/** How many boxes are climbed from the field to the box that holds field and code. */
const maxClimb = 2;
/** The most parts of a box with list and field: these two, and perhaps a button behind them. */
const maxParts = 3;
/** How many elements before a part are looked at: its label, and another field. */
const maxBefore = 2;
/** The most digits of a number without its area code. */
const maxLocalDigits = 9;

/** @returns the codes of the number in a field, as they are written before it. Empty if codes are not shown. */
export function codesBefore(field: FormField): string {
  const value = textIn(field);
  if (/^\s*(\+|00)/.test(value)) return '';
  const isLocal = value.replace(/\P{Nd}/gu, '').length <= maxLocalDigits;
  const before = isLocal ? fieldBefore(field) : undefined;
  const area = before && onlyAnAreaCode.exec(textIn(before).trim())?.[1];
  // The words are tested last. They are read in every frame while a tip is shown, and need the page's layout.
  return area && areaCodeField.test(wordsOfField(before))
    ? `${diallingCodeBefore(before)}(${area}) `
    : diallingCodeBefore(field);
}

/** The field right before this one. */
function fieldBefore(field: Element): FormField | undefined {
  for (const at of fieldWithBoxes(field)) {
    let before: Element | null = at;
    for (let count = 0; count < maxBefore; count++) {
      before = before.previousElementSibling;
      if (!before) break;
      const own = before.matches('input,select')
        ? before
        : [...before.querySelectorAll('input,select')].at(-1);
      if (own) return own as FormField;
    }
  }
  return undefined;
}

function diallingCodeBefore(field: Element): string {
  for (const at of fieldWithBoxes(field)) {
    if (at !== field && at.childElementCount > maxParts) break;
    const code = codeIn(at.previousElementSibling);
    if (code) return `${code} `;
  }
  return '';
}

/** The field and the boxes that may hold it with its codes, from the inside out. */
const fieldWithBoxes = (field: Element): Element[] => withAncestors(field).slice(0, maxClimb + 1);

function codeIn(before: Element | null): string | undefined {
  if (before?.matches('input')) return onlyACode.exec((before as HTMLInputElement).value.trim())?.[1];
  // If a list has its own field, it belongs to that field.
  if (!before || before.querySelector('input,textarea')) return undefined;
  const list = before.localName === 'select' ? before : before.querySelector('select');
  // biome-ignore lint/performance/useDomNodeTextContent: a list of countries that it unfolds is not rendered.
  const { innerText = before.textContent } = before as HTMLElement;
  const shown = list ? (list as HTMLSelectElement).selectedOptions[0]?.text : innerText;
  return onlyACode.exec(shown?.trim() ?? '')?.[1];
}
