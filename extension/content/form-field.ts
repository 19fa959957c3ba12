/** What a field of a form holds, and what it is for. */
import { labelOf } from './labels.ts';

export type FormField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export const isFormField = (control: Element): control is FormField =>
  /^(input|textarea|select)$/.test(control.localName);

/** The text that a field shows. */
export const textIn = (field: FormField): string =>
  field.localName === 'select' ? ((field as HTMLSelectElement).selectedOptions[0]?.text ?? '') : field.value;

/** The words that say what a field is for, separated by spaces. Words for people are last. */
export function wordsOfField(field: FormField): string {
  const attributes = ['type', 'autocomplete', 'id', 'name', 'title', 'placeholder', 'aria-label'];
  // The label may be behind the field. The field before it is then not its label.
  const labels = [...(field.labels ?? [])].map(({ textContent }) => textContent);
  return attributes
    .map((name) => field.getAttribute(name) ?? '')
    .concat(labels.some((label) => label.trim()) ? labels : labelOf(field))
    .join(' ')
    .replace(/(?<=\p{Ll})(?=\p{Lu})|[^\p{L}]+/gu, ' ')
    .trim();
}
