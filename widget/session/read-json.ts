import { readTextUpTo } from '../../shared/read-text.ts';

const maxLength = 1_000_000;

/**
 * Reads a reply's body as JSON.
 * @throws RangeError if the body is too long. A faulty relay then cannot fill the page's memory, nor keep its parser
 * busy.
 */
export async function readReplyJson(response: Response): Promise<unknown> {
  // A character has at most four bytes. So a text that is cut here is longer than the limit.
  const text = await readTextUpTo(response, 4 * maxLength);
  if (text.length > maxLength) throw new RangeError('too large');
  return JSON.parse(text);
}
