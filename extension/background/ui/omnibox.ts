/** `call 4899…` or `call ana` in the address bar. */
import browser, { type Omnibox } from 'webextension-polyfill';
import type { PersonView } from '../../messages/views.ts';
import { isNameQuery } from '../../name-query.ts';
import { resolveForTeam } from '../../resolve-for-team.ts';
import { text } from '../../text.ts';
import { teamRules } from '../calls/team-rules.ts';
import { findPeople } from '../numbers/find-people.ts';
import { readSettings } from '../settings/settings-store.ts';
import { openCallPage } from './call-page.ts';

/** What a browser shows at most. */
const maxSuggestions = 6;

export function wireOmnibox(): void {
  browser.omnibox.setDefaultSuggestion({ description: text('background_omnibox_hint') });
  browser.omnibox.onInputChanged.addListener(
    (input, suggest) => void suggestFor(input.slice(0, 200), suggest),
  );
  browser.omnibox.onInputEntered.addListener((input) => void openCallPage(input.slice(0, 200)));
}

async function suggestFor(input: string, suggest: (results: Omnibox.SuggestResult[]) => void): Promise<void> {
  if (isNameQuery(input)) {
    const found = await findPeople(input);
    const people = (found.ok && found.value) || [];
    describeInput(people.length > 0 ? text('background_omnibox_choose') : text('popup_nothingFound'));
    return suggest(people.slice(0, maxSuggestions).map(suggestionOf));
  }
  const { settings } = await readSettings();
  const source = { kind: 'typed', text: input } as const;
  const resolved = resolveForTeam(source, settings, { now: new Date() }, await teamRules());
  describeInput(
    'why' in resolved
      ? text('background_omnibox_notANumber')
      : text('page_callNumber', resolved.number.display),
  );
  suggest([]);
}

const describeInput = (words: string) =>
  browser.omnibox.setDefaultSuggestion({ description: escapeXml(words) });

/** A number once: the browser drops suggestions of the same content. */
const suggestionOf = ({ name, organisation, display }: PersonView): Omnibox.SuggestResult => ({
  content: display,
  description: escapeXml([name, organisation, display].filter(Boolean).join(', ')),
});

/** Chrome reads descriptions as XML. */
function escapeXml(plain: string): string {
  return plain.replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
