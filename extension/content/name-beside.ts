/** What belongs to a number: the words before it in its line, the name in its row or its label, and its row's links. */
import { elementOfTarget, type Target } from './click-target.ts';
import { clean, labelIn, labelOf } from './labels.ts';
import { selectors } from './selectors.ts';
import { isTelephoneLink } from './text-blocks.ts';
import { hasDigit } from './words.ts';

/** The most links, and the longest address, that the background accepts. */
const maxLinks = 20;
const maxAddress = 2000;

const rowOf = (target: Target): Element | null => elementOfTarget(target).closest('tr,li,[role=row]');

/**
 * Addresses of the row's links on this origin. Empty if they are too many or too long: a missing address may name
 * another record.
 */
export function linksInRow(target: Target): string[] {
  const links = [...(rowOf(target)?.querySelectorAll('a') ?? [])].filter((link) => link.origin === origin);
  const addresses = [...new Set(links.map(({ href }) => href))];
  return addresses.length > maxLinks || addresses.some(({ length }) => length > maxAddress) ? [] : addresses;
}

/** Two lines that may name whom the number reaches, the likelier first. The background chooses one. */
export function nameBeside(target: Target): string {
  const element = elementOfTarget(target);
  const before = target.kind === 'mark' ? target.key.before : wordsBefore(target.key, target.source.text);
  const lines = before.split('\n').map((line) => clean(/[^.,;!?|·\p{Nd}]*$/u.exec(line)![0]));
  const row = rowOf(target);
  const named = row?.querySelector(selectors.rowName);
  const name = named?.contains(element) ? '' : labelIn(named);
  return [lines.at(-1) || name || labelOf(element) || lines.findLast(Boolean), name].join('\n');
}

/** The words of a control of the page before its number. */
function wordsBefore(control: Element, number: string): string {
  const own = ((control as HTMLInputElement).labels?.[0] ?? control).textContent.split(number)[0]!;
  // If a link shows its number, the words are before the link.
  const isNumber = isTelephoneLink(control) && hasDigit.test(own);
  return isNumber ? (control.previousSibling?.textContent ?? '') : own;
}
