import { maxTypedCharacters } from '../../messages/fields.ts';
import { text } from '../../text.ts';

/** Why the background does not take a text that was typed; undefined where it does. */
export function tooLongText({ length }: string): string | undefined {
  return length > maxTypedCharacters ? text('page_tooLong', length, maxTypedCharacters) : undefined;
}
