/** What a content script needs to look right: no secret, no history, no address. */
import type { ContentSettings } from '../../messages.ts';
import type { Settings } from '../../settings.ts';
import { textDirection, textsStartingWith } from '../../text.ts';

export function contentSettings({ appearance }: Settings): ContentSettings {
  return {
    underline: appearance.underline,
    theme: appearance.theme,
    texts: { ...textsStartingWith('content_'), ...textsStartingWith('error_') },
    direction: textDirection(),
  };
}
