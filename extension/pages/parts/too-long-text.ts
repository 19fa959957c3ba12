import { maxTypedCharacters } from '../../messages/fields.ts';
import { text } from '../../text.ts';

/** Why a text that was typed is not taken; undefined where it has at most `max` characters. */
export function tooLongText({ length }: string, max = maxTypedCharacters): string | undefined {
  return length > max ? text('page_tooLong', length, max) : undefined;
}
