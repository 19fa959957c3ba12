import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { JudgedNumber } from '../../messages.ts';
import { text } from '../../text.ts';
import { ask } from '../parts/ask.ts';
import { Icon } from '../parts/icon.tsx';
import { useChanges, useTabChanges } from '../parts/use-answer.ts';

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

/** The numbers that stand on the page, each once, with the words around them. */
export function NumbersOnPage({ tabId, disabled, onDial }: Props) {
  const [found, setFound] = useState<Found[]>();
  const turn = useRef(0);
  const list = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    const numbers = await listNumbers(tabId);
    if (mine === turn.current) setFound(numbers);
  }, [tabId]);
  useEffect(() => void list(), [list]);
  // Whenever the page tells of its numbers, also of as many as before: it may be another, or one that could not answer yet.
  useChanges(['tab'], list);
  useTabChanges(true, list);

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

/** What is shown is what `page.judge` makes of the text, as `page.dial` will: the page's own language does not count here. */
async function listNumbers(tabId: number): Promise<Found[]> {
  const reply = await ask('page.numbersOnPage', { tabId });
  if (!reply.ok) return [];
  const judged = await Promise.all(
    reply.value.map(async ({ display, context }) => {
      const answer = await ask('page.judge', { input: display });
      return answer.ok && answer.value ? { input: display, context, number: answer.value } : undefined;
    }),
  );
  const once = new Map<string, Found>();
  for (const entry of judged) if (entry && !once.has(entry.number.to)) once.set(entry.number.to, entry);
  return [...once.values()];
}
