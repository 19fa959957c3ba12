import type { JudgedNumber } from '../../messages.ts';
import { text } from '../../text.ts';
import { Icon } from '../parts/icon.tsx';
import { sendRequest } from '../parts/send-request.ts';
import { useLatest } from '../parts/use-latest.ts';
import { useChanges, useTabChanges } from '../parts/use-reply.ts';

interface Props {
  tabId: number;
  disabled: boolean;
  onDial(input: string): void;
}
interface Found {
  input: string;
  context: string;
  number: JudgedNumber;
}

/** The numbers on the page, each once, with the words around them. */
export function NumbersOnPage({ tabId, disabled, onDial }: Props) {
  const { value: found, reload } = useLatest(String(tabId), () => listNumbers(tabId));
  // On every report of the page, also with the same count: it may be another page, or one that could not reply before.
  useChanges(['tab'], reload);
  useTabChanges(true, reload);

  return (
    <section id="numbers-on-page" class="card" aria-labelledby="numbers-title">
      <h2 id="numbers-title">{text('popup_onThisPage')}</h2>
      {found === undefined && <p class="quiet">{text('page_loading')}</p>}
      {found?.length === 0 && <p class="quiet">{text('popup_noNumbers')}</p>}
      {found !== undefined && found.length > 0 && (
        <ul class="numbers">
          {found.map(({ input, context, number }) => (
            <li key={input}>
              <button
                type="button"
                class="number-button"
                disabled={disabled || number.verdict === 'refuse'}
                title={number.reason ?? ''}
                onClick={() => onDial(input)}
              >
                <Icon name="phone" />
                <span>
                  <span class="number">{number.display}</span>
                  <span class="quiet small context">{context}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Judges each number as `page.dial` will, without the page's own language. */
async function listNumbers(tabId: number): Promise<Found[]> {
  const reply = await sendRequest('page.numbersOnPage', { tabId });
  if (!reply.ok) return [];
  const judged = await Promise.all(
    reply.value.map(async ({ text: written, display, context }) => {
      // As it is written where that leaves the country in doubt: the display names one of several.
      for (const input of [written, display]) {
        const answer = await sendRequest('page.judge', { input });
        if (answer.ok && answer.value && (input === display || answer.value.isDoubtful))
          return { input, context, number: answer.value };
      }
      return undefined;
    }),
  );
  const once = new Map<string, Found>();
  for (const entry of judged) if (entry && !once.has(entry.number.to)) once.set(entry.number.to, entry);
  return [...once.values()];
}
