import { useState } from 'preact/hooks';
import { when } from '../../format.ts';
import type { HistoryEntry } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { Button } from '../parts/form.tsx';
import { CalleeName } from '../parts/known-number.tsx';
import { LogEntryLine } from '../parts/log-entry.tsx';

/** Calls whose entry needs the agent: one click opens the choices, the next one takes one. */
export function RecordsToChoose({ entries }: { entries: readonly HistoryEntry[] }) {
  const [opened, setOpened] = useState<string>();
  if (entries.length === 0) return null;
  return (
    <section class="card" id="records-to-choose" aria-labelledby="records-to-choose-title">
      <h2 id="records-to-choose-title">{text('popup_recordsToChoose')}</h2>
      <ul class="callbacks">
        {entries.map((entry) => {
          const { id, display, name, call } = entry;
          const isOpen = id === opened;
          return (
            <li key={id} class="callback" data-id={id}>
              <span>
                <strong>
                  <CalleeName display={display} name={name} />
                </strong>{' '}
                <span class="small quiet">{when(call.createdAt)}</span>
              </span>
              {isOpen ? (
                <LogEntryLine call={call} />
              ) : (
                <div class="row">
                  <Button
                    class="choose-record"
                    label={text('popup_chooseRecord')}
                    aria-label={`${text('popup_chooseRecord')}: ${display}`}
                    aria-expanded={false}
                    onClick={() => setOpened(id)}
                  />
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
