/** The overlay's texts, in the agent's language: the content script gets them with its settings. */
import type { ContentSettings } from '../messages/content.ts';
import type { ErrorCode } from '../messages/error-codes.ts';

export type OverlayWords = ReturnType<typeof createWords>;

export function createWords() {
  let texts: ContentSettings['texts'] = {};
  const fillIn = (key: string, values: string[]) =>
    (texts[key] ?? '').replace(/\$(\d)/g, (_, index) => values[index - 1] ?? '');
  const text = (key: string, ...values: string[]) => fillIn(`content_${key}`, values);
  return {
    set(newTexts: ContentSettings['texts']) {
      texts = newTexts;
    },
    /** The text `content_<key>`, with its values filled in. */
    text,
    /** The sentence for an error; `$1` in it is the detail. */
    error: (code: ErrorCode, detail: string) => fillIn(`error_${code}`, [detail]) || detail || text('failed'),
  };
}
