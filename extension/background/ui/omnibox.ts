/** `call 4899…` or `call ana` in the address bar. */
import browser, { type Omnibox } from 'webextension-polyfill';
import { browserName } from '../../browser-name.ts';
import { errorText } from '../../error-text.ts';
import { guardSentence } from '../../guard-sentence.ts';
import type { PersonView } from '../../messages/views.ts';
import { isNameQuery } from '../../name-query.ts';
import { chooseLanguage, text } from '../../text.ts';
import { findPeople } from '../numbers/find-people.ts';
import { resolveTyped } from '../numbers/resolve-typed.ts';
import { readSettings } from '../settings/settings-store.ts';
import { openCallPage } from './call-page.ts';

/** The most suggestions that a browser shows. */
const maxSuggestions = 6;

export function wireOmnibox(): void {
  void readSettings().then(({ settings }) => {
    chooseLanguage(settings.appearance.language);
    if (newestTurn === 0)
      browser.omnibox.setDefaultSuggestion({ description: text('background_omnibox_hint') });
  });
  browser.omnibox.onInputChanged.addListener(
    (input, suggest) => void suggestFor(input.slice(0, 200), suggest),
  );
  browser.omnibox.onInputEntered.addListener((input) => void openCallPage(input.slice(0, 200)));
}

let newestTurn = 0;

/**
 * Shows what Enter does with the input, and people to choose from. A search result is dropped if the input has changed.
 */
async function suggestFor(input: string, suggest: (results: Omnibox.SuggestResult[]) => void): Promise<void> {
  newestTurn += 1;
  const turn = newestTurn;
  // A search may take seconds. Until then, the old description is not what Enter does now.
  const isName = isNameQuery(input);
  if (isName && browserName !== 'firefox')
    browser.omnibox.setDefaultSuggestion({ description: text('page_loading') });
  const { description, results = [] } = await (isName ? suggestPeople(input) : suggestCall(input));
  if (turn !== newestTurn) return;
  if (browserName === 'firefox')
    return suggest(results.length > 0 ? results : [besideDefault(input, description)]);
  browser.omnibox.setDefaultSuggestion({ description: descriptionOf(description) });
  suggest(results);
}

/**
 * Firefox (153) reads the default suggestion before it reports the input, so that it would describe the earlier input.
 * It drops a suggestion whose content is what was typed.
 */
const besideDefault = (input: string, description: string): Omnibox.SuggestResult => ({
  content: `${input} `,
  description,
});

interface Suggestions {
  description: string;
  results?: Omnibox.SuggestResult[];
}

async function suggestPeople(input: string): Promise<Suggestions> {
  const found = await findPeople(input);
  if (!found.ok) return { description: errorText(found.error) };
  if (found.value === null) return { description: text('people_needRelay') };
  const results = found.value.slice(0, maxSuggestions).map(suggestionOf);
  return {
    description: text(results.length > 0 ? 'background_omnibox_choose' : 'popup_nothingFound'),
    results,
  };
}

async function suggestCall(input: string): Promise<Suggestions> {
  const resolved = await resolveTyped(input);
  if ('why' in resolved) return { description: text('background_omnibox_notANumber') };
  const { number, decision } = resolved;
  return {
    description:
      decision.verdict === 'refuse'
        ? `${number.display}: ${guardSentence(decision)}`
        : text('page_callNumber', number.display),
  };
}

/** Each number is shown once: the browser drops suggestions with the same content. */
const suggestionOf = ({ name, organisation, display }: PersonView): Omnibox.SuggestResult => ({
  content: display,
  description: descriptionOf([name, organisation, display].filter(Boolean).join(', ')),
});

/** Chrome reads descriptions as XML. Firefox shows them as they are (153). */
function descriptionOf(plain: string): string {
  if (browserName === 'firefox') return plain;
  return plain.replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
