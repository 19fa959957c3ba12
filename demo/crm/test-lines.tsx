import { useEffect, useState } from 'preact/hooks';

interface TestLine {
  name: string;
  ending: string;
  title: string;
  does: string;
  number: string;
}

/** +55 11 3350-9001 */
const written = (digits: string) => digits.replace(/^(\d{2})(\d{2})(\d{4})(\d{4})$/, '+$1 $2 $3-$4');

/** Lists numbers whose last digits choose how a call ends. The service itself names them. */
export function TestLines() {
  const [lines, setLines] = useState<TestLine[] | 'failed'>();
  useEffect(() => {
    fetch('/sandbox/scenarios')
      .then((response) => response.json())
      .then(setLines, () => setLines('failed'));
  }, []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls without a control, so the keyboard must reach it.
    <main class="card wide" tabIndex={0}>
      <header class="card-head">
        <h1>Test lines</h1>
        <p class="quiet">The last four digits choose what becomes of a call. Any other number is answered.</p>
      </header>
      {lines === undefined && <p class="empty">Asking the service for its test lines…</p>}
      {lines === 'failed' && (
        <p class="empty">The service does not answer. Reload the page when it runs again.</p>
      )}
      {Array.isArray(lines) && (
        <table class="lines">
          <thead>
            <tr>
              <th scope="col">Number</th>
              <th scope="col">What happens</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ name, title, does, number }) => (
              <tr key={name}>
                <td class="line-number">{written(number)}</td>
                <td>
                  <strong>{title}</strong>
                  <span class="quiet">{does.replaceAll('`', '')}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </main>
  );
}
