/**
 * Renders every state in both themes and three languages by the widget's own view and style sheet, without a
 * relay or clock. `?lang=en&theme=dark&state=Empty` selects; `&dir=rtl` makes it a right-to-left page.
 */
import { render } from 'preact';
import css from '../style.css?inline';
import { pickLanguage } from '../texts.ts';
import { Widget } from '../view/widget.tsx';
import { type GalleryState, now, widgetStates } from './states.ts';

const wanted = new URLSearchParams(location.search);
const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
const page = new CSSStyleSheet();
page.replaceSync(`
  body { margin: 0; font: 14px system-ui, sans-serif; }
  main {
    display: grid; grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr));
    align-items: start; gap: 1.25rem; padding: 1.25rem;
  }
  main.light { background: #f3f4f6; color: #1c1e21; }
  main.dark { background: #101113; color: #eceef1; }
  h1 { font-size: 0.8125rem; font-weight: 500; margin: 0 0 0.4rem; opacity: 0.8; }
`);
document.adoptedStyleSheets = [page];
document.documentElement.dir = wanted.get('dir') ?? 'ltr';

function showExample(parent: HTMLElement, state: GalleryState, lang: string, theme: string): void {
  const host = document.createElement('dialmark-picture');
  host.setAttribute('theme', theme);
  host.toggleAttribute('compact', state.compact === true);
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [sheet];
  parent.append(host);
  render(
    <Widget
      calls={state.calls ?? []}
      connection={state.connection ?? { name: 'open' }}
      ready={state.ready ?? true}
      mayHangUp={true}
      hangUpFault={state.hangUpFault}
      language={pickLanguage([lang])}
      region="BR"
      mode={state.mode ?? 'state'}
      compact={state.compact === true}
      now={now}
      pageProtocol="https:"
      dial={{ typed: '', busy: false, fault: undefined, ...state.dial }}
      onRetry={() => {}}
      onHangUp={() => {}}
      onDial={() => {}}
      onType={() => {}}
    />,
    root,
  );
}

for (const theme of ['light', 'dark'].filter((each) => each === (wanted.get('theme') ?? each)))
  for (const lang of ['en', 'pt-BR', 'es'].filter((each) => each === (wanted.get('lang') ?? each))) {
    const main = document.createElement('main');
    main.className = theme;
    main.lang = lang;
    main.setAttribute('aria-label', `${lang}, ${theme}`);
    document.body.append(main);
    const names = wanted.getAll('state');
    for (const state of widgetStates.filter(({ name }) => names.length === 0 || names.includes(name))) {
      const figure = document.createElement('div');
      const title = document.createElement('h1');
      title.textContent = state.name;
      title.lang = 'en';
      figure.append(title);
      main.append(figure);
      showExample(figure, state, lang, theme);
    }
  }
document.documentElement.dataset.drawn = 'yes';
