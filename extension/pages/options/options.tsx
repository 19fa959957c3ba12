import { useMemo } from 'preact/hooks';
import { text } from '../../text.ts';
import { applyAppearance, type PageProps, startPage } from '../parts/start-page.tsx';
import { AgentSection } from './agent-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { ConnectionSection } from './connection-section.tsx';
import { valueAt } from './draft.ts';
import { KeyboardSection } from './keyboard-section.tsx';
import { NumbersSection } from './numbers-section.tsx';
import { SafetySection } from './safety-section.tsx';
import { SaveBar } from './save-bar.tsx';
import { FormContext, useSettingsForm } from './settings-form.ts';
import { SitesSection } from './sites-section.tsx';
import { TransferSection } from './transfer-section.tsx';

/** In the order of the navigation. */
const sections = [
  { id: 'connection', title: 'options_connection', Section: ConnectionSection },
  { id: 'agent-section', title: 'options_agent', Section: AgentSection },
  { id: 'numbers', title: 'options_numbers', Section: NumbersSection },
  { id: 'safety', title: 'options_safety', Section: SafetySection },
  { id: 'sites-section', title: 'options_sites', Section: SitesSection },
  { id: 'appearance', title: 'options_appearance', Section: AppearanceSection },
  { id: 'keyboard', title: 'options_keyboard', Section: KeyboardSection },
  { id: 'transfer', title: 'options_transfer', Section: TransferSection },
  { id: 'registration', title: 'options_registration', Section: RegistrationSection },
] as const;

export function Options({ initial }: PageProps) {
  const form = useSettingsForm(initial);
  const { theme, language } = form.view.settings.appearance;
  const shownTheme = (valueAt(form.draft, 'appearance.theme') ?? theme) as typeof theme;
  // Before anything below is rendered: texts are looked up while rendering.
  useMemo(() => applyAppearance({ theme: shownTheme, language }), [shownTheme, language]);

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
        <nav aria-label={text('options_sectionsNav')}>
          <ul>
            {sections.map(({ id, title }) => (
              <li key={id}>
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
                {form.view.managedProblems.map(({ path, message }) => (
                  <li key={path}>
                    <code>{path}</code> {message}
                  </li>
                ))}
              </ul>
            </div>
          )}
          {sections.map(({ id, title, Section }) => (
            <section key={id} id={id} class="card" aria-labelledby={`${id}-title`} tabIndex={-1}>
              <h2 id={`${id}-title`}>{text(title)}</h2>
              <Section />
            </section>
          ))}
        </main>
      </div>
      <SaveBar form={form} />
    </FormContext.Provider>
  );
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
