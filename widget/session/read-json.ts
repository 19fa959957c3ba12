import { readText } from '../../shared/read-text.ts';

/** A larger reply is cut, and then is not JSON: a faulty relay cannot fill the page's memory. */
const maxBytes = 4_000_000;

/** @throws SyntaxError where the body is not JSON. */
export async function readJson(response: Response): Promise<unknown> {
  return JSON.parse(await readText(response, maxBytes));
}
