import { maxTypedCharacters } from '../../messages/fields.ts';
import { text } from '../../text.ts';

/** Why a typed text is refused; undefined if it has at most `max` characters. */
export function tooLongText({ length }: string, max = maxTypedCharacters): string | undefined {
  return length > max ? text('page_tooLong', length, max) : undefined;
}
