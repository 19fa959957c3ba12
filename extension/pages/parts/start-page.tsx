import { type ComponentType, render } from 'preact';
import type { SettingsView } from '../../messages/views.ts';
import { chooseLanguage, languageTag, text, textDirection } from '../../text.ts';
import { ErrorNotice } from './error-notice.tsx';
import { sendRequest } from './send-request.ts';

/** What every page gets at its start; it follows later changes by itself. */
export interface PageProps {
  initial: SettingsView;
}

/** The title of this page in the language in use. */
let ownTitle = (): string => document.title;

/** Renders a page in the agent's language and theme, or an error with a retry button without a reply. */
export async function startPage(Page: ComponentType<PageProps>, title: () => string): Promise<void> {
  ignoreHeldKeys();
  ignoreMovedDoubleClicks();
  ownTitle = title;
  const root = document.querySelector('#page')!;
  root.querySelector('.starting')!.textContent = text('page_loading');
  const reply = await sendRequest('page.settings', {});
  applyAppearance(reply.ok ? reply.value.settings.appearance : { theme: 'auto', language: '' });
  root.replaceChildren();
  render(
    reply.ok ? (
      <Page initial={reply.value} />
    ) : (
      <main class="stack start-failure">
        <h1 class="visually-hidden">{title()}</h1>
        <ErrorNotice error={reply.error} retry={() => location.reload()} />
      </main>
    ),
    root,
  );
}

/**
 * A key that is held down presses nothing: what it would press may have appeared since, as a question does under the
 * Enter that raised it. In text a held key goes on writing.
 */
function ignoreHeldKeys(): void {
  addEventListener(
    'keydown',
    (event) => {
      if (!event.repeat || (event.key !== 'Enter' && event.key !== ' ')) return;
      const isText = event.target instanceof HTMLTextAreaElement;
      const isField = event.target instanceof HTMLInputElement && event.key === ' ';
      if (!isText && !isField) event.preventDefault();
    },
    { capture: true },
  );
}

/**
 * The second click of a double click presses only what the first has pressed. The first may have removed a row, so that
 * the button of another row is under the pointer by then.
 */
function ignoreMovedDoubleClicks(): void {
  let pressed: Element | undefined;
  addEventListener(
    'click',
    (event) => {
      const control = controlOf(event.target as Element);
      if (event.detail === 1) pressed = control;
      if (event.detail < 2 || !control || control === pressed) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}

/** What a click on an element presses. A label presses its field. */
function controlOf(element: Element): Element | undefined {
  const control = element.closest('a, button, input, label, select, summary');
  return (control instanceof HTMLLabelElement ? control.control : control) ?? undefined;
}

/** Applies theme and language to the document and its title. */
export function applyAppearance(
  appearance: Pick<SettingsView['settings']['appearance'], 'theme' | 'language'>,
): void {
  chooseLanguage(appearance.language);
  const { documentElement } = document;
  documentElement.lang = languageTag();
  documentElement.dir = textDirection();
  documentElement.dataset.theme = appearance.theme;
  document.title = ownTitle();
}
