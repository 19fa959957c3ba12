import { type ComponentType, render } from 'preact';
import type { SettingsView } from '../../messages/views.ts';
import { chooseLanguage, languageTag, text, textDirection } from '../../text.ts';
import { ErrorNotice } from './error-notice.tsx';
import { sendRequest } from './send-request.ts';

/** The settings that every page receives at its start. Later changes it reads itself. */
export interface PageProps {
  initial: SettingsView;
}

/** Returns the title of this page, in the language in use. */
let ownTitle = (): string => document.title;

/** Renders a page in the agent's language and theme. Without a reply, renders an error with a retry button. */
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
 * A held key presses nothing. The button under it may have just appeared, such as a question that the same Enter
 * raised. In a text field, a held key still writes.
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
 * The second click of a double click presses only the same control as the first. The first click may have removed a
 * row, and another row's button may now be under the pointer.
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

/** The control that a click on an element presses. A label presses its field. */
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
