import { text } from '../../text.ts';
import { startPage } from '../parts/start-page.tsx';

const sections = ['sent', 'kept', 'others', 'never'] as const;

/** docs/privacy.md, shorter. */
function Privacy() {
  return (
    <main class="stack">
      <h1>{text('privacy_title')}</h1>
      {sections.map((name) => (
        <section key={name}>
          <h2>{text(`privacy_${name}Title`)}</h2>
          <p>{text(`privacy_${name}`)}</p>
        </section>
      ))}
    </main>
  );
}

await startPage(Privacy, () => text('privacy_title'));
