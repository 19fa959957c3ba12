import { useEffect, useState } from 'preact/hooks';
import { valueAt } from '../../dotted-path.ts';
import type { ManagedProblem } from '../../messages/views.ts';
import { type TextKey, text } from '../../text.ts';
import { KeyboardTable } from '../parts/keyboard-table.tsx';
import { type PageProps, startPage } from '../parts/start-page.tsx';
import { useAppearance } from '../parts/use-settings.ts';
import { AgentSection } from './agent-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { ConnectionSection } from './connection-section.tsx';
import { Diagnostics } from './diagnostics.tsx';
import { problemText } from './draft.ts';
import { NumbersSection } from './numbers-section.tsx';
import { SafetySection } from './safety-section.tsx';
import { SaveBar } from './save-bar.tsx';
import { hasWords } from './section-search.ts';
import { FormContext, useSettingsForm } from './settings-form.ts';
import { SitesSection } from './sites-section.tsx';
import { TransferSection } from './transfer-section.tsx';

/** All sections in the order of the navigation. */
const sections = [
  { id: 'connection', title: 'options_connection', Section: ConnectionSection },
  { id: 'agent-section', title: 'options_agent', Section: AgentSection },
  { id: 'numbers', title: 'options_numbers', Section: NumbersSection },
  { id: 'safety', title: 'options_safety', Section: SafetySection },
  { id: 'sites-section', title: 'options_sites', Section: SitesSection },
  { id: 'appearance', title: 'options_appearance', Section: AppearanceSection },
  { id: 'keyboard', title: 'options_keyboard', Section: KeyboardTable },
  { id: 'transfer', title: 'options_transfer', Section: TransferSection },
  { id: 'registration', title: 'options_registration', Section: RegistrationSection },
] as const;

export function Options({ initial }: PageProps) {
  const form = useSettingsForm(initial);
  const { theme, language } = form.view.settings.appearance;
  const shownTheme = (valueAt(form.draft, 'appearance.theme') ?? theme) as typeof theme;
  useAppearance({ theme: shownTheme, language });

  const [search, setSearch] = useState('');
  const found = useFoundSections(search);
  // A section with a field to correct always matches.
  const matching = (id: string) => found?.has(id) ?? true;

  // A link may name a field. The field does not exist yet while the page loads.
  useEffect(() => document.getElementById(location.hash.slice(1))?.focus(), []);

  return (
    <FormContext.Provider value={form}>
      <a class="skip-link button" href="#connection">
        {text('options_skip')}
      </a>
      <header class="masthead">
        <img src="../../icons/48.png" alt="" width="32" height="32" />
        <h1>{text('options_title')}</h1>
      </header>
      <div class="columns">
        <nav aria-label={text('options_title')}>
          <input
            id="search-settings"
            type="search"
            value={search}
            placeholder={text('options_search')}
            aria-label={text('options_search')}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
          <ul>
            {sections.map(({ id, title }) => (
              <li key={id} hidden={!matching(id)}>
                <a href={`#${id}`}>{text(title)}</a>
              </li>
            ))}
          </ul>
        </nav>
        <main class="sections">
          {form.view.managedProblems.length > 0 && (
            <div class="notice notice-warn" id="policy-problems">
              <p>{text('options_policyProblems')}</p>
              <ul>
                {form.view.managedProblems.map((each) => (
                  <li key={each.path}>
                    <code>{each.path}</code> {policyProblemText(each)}
                  </li>
                ))}
              </ul>
            </div>
          )}
          {sections.map(({ id, title, Section }) => (
            <section
              key={id}
              id={id}
              class="card"
              aria-labelledby={`${id}-title`}
              tabIndex={-1}
              hidden={!matching(id)}
            >
              <h2 id={`${id}-title`}>{text(title)}</h2>
              <Section />
            </section>
          ))}
          {sections.every(({ id }) => !matching(id)) && (
            <p class="quiet" role="status">
              {text('popup_nothingFound')}
            </p>
          )}
          <Diagnostics />
        </main>
      </div>
      <SaveBar form={form} />
    </FormContext.Provider>
  );
}

function policyProblemText({ path, problem, expected }: ManagedProblem): string {
  if (problem === 'noSuchSetting') return text('options_policyNoSuchSetting');
  if (problem === 'secretsAreReadable') return text('options_policySecrets');
  const key = problemText(path);
  const written = expected?.join(', ') ?? asWritten[key];
  return written ? text('options_policyExpected', written) : text(key);
}

/** Values that a person chooses from a list on this page, as an administrator writes them in a policy. */
const asWritten: Partial<Record<TextKey, string>> = {
  page_problem_country: '"BR"',
  page_problem_officeHours: '"days": [0-6], "fromMinute": 0-1440, "toMinute": 0-1440',
};

/** The sections in which the searched words are; undefined without a search. */
function useFoundSections(search: string): ReadonlySet<string> | undefined {
  const [found, setFound] = useState<ReadonlySet<string>>();
  useEffect(() => {
    if (search.trim() === '') return setFound(undefined);
    const ids = sections.map(({ id }) => id);
    setFound(new Set(ids.filter((id) => hasWords(document.getElementById(id), search))));
  }, [search]);
  return found;
}

function RegistrationSection() {
  return (
    <>
      <p class="quiet">{text('options_registrationIntro')}</p>
      <p>
        <a id="open-registration" href="../registration/index.html">
          {text('options_registrationLink')}
        </a>
      </p>
    </>
  );
}

await startPage(Options, () => text('options_title'));
