/** `call 4899…` in the address bar. */
import browser, { type Omnibox } from 'webextension-polyfill';
import { resolve } from '../../../shared/numbers/dial/resolve.ts';
import { text } from '../../text.ts';
import { readSettings } from '../settings/settings-store.ts';
import { openCallPage } from './call-page.ts';

export function wireOmnibox(): void {
  browser.omnibox.setDefaultSuggestion({ description: text('background_omnibox_hint') });
  browser.omnibox.onInputChanged.addListener((input, suggest) => void suggestFor(input, suggest));
  browser.omnibox.onInputEntered.addListener((input) => void openCallPage(input.slice(0, 200)));
}

async function suggestFor(input: string, suggest: (results: Omnibox.SuggestResult[]) => void): Promise<void> {
  const { settings } = await readSettings();
  const resolved = resolve({ kind: 'typed', text: input.slice(0, 200) }, settings, { now: new Date() });
  browser.omnibox.setDefaultSuggestion({
    description:
      'why' in resolved
        ? text('background_omnibox_notANumber')
        : text('page_callNumber', escapeXml(resolved.number.display)),
  });
  suggest([]);
}

/** Chrome reads descriptions as XML. */
function escapeXml(plain: string): string {
  return plain.replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
