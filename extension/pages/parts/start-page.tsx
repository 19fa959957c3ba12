import { type ComponentType, render } from 'preact';
import type { SettingsView } from '../../messages.ts';
import { chooseLanguage, languageTag, textDirection } from '../../text.ts';
import { ask } from './ask.ts';
import { Failure } from './failure.tsx';

/** What every page gets at its start; it listens for changes by itself. */
export interface PageProps {
  initial: SettingsView;
}

/** Shows a page in the agent's language and theme. Where the background does not answer, says so and offers to try again. */
export async function startPage(Page: ComponentType<PageProps>, title: () => string): Promise<void> {
  const root = document.querySelector('#page');
  if (!root) throw new Error('the page has no #page element');
  const reply = await ask('page.settings', {});
  if (reply.ok) dress(reply.value.settings.appearance);
  else dress({ theme: 'auto', language: '' });
  document.title = title();
  root.replaceChildren();
  render(
    reply.ok ? (
      <Page initial={reply.value} />
    ) : (
      <main class="stack start-failure">
        <Failure error={reply.error} retry={() => location.reload()} />
      </main>
    ),
    root,
  );
}

/** Applies theme and language to the document. */
export function dress(appearance: Pick<SettingsView['settings']['appearance'], 'theme' | 'language'>): void {
  chooseLanguage(appearance.language);
  const { documentElement } = document;
  documentElement.lang = languageTag();
  documentElement.dir = textDirection();
  documentElement.dataset.theme = appearance.theme;
}
