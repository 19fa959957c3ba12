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
  /** The opened call, not to be logged: it needs the agent no longer, but its row has the undo. */
  const [kept, setKept] = useState<HistoryEntry>();
  const rows = !kept || entries.some(({ id }) => id === kept.id) ? entries : withKept(entries, kept);
  if (rows.length === 0) return null;
  return (
    <section class="card" id="records-to-choose" aria-labelledby="records-to-choose-title">
      <h2 id="records-to-choose-title">{text('popup_recordsToChoose')}</h2>
      <ul class="callbacks">
        {rows.map((entry) => {
          const { id, display, name, call } = entry;
          // Why it was given up is to be read at once.
          const isOpen = id === opened || call.entry?.state === 'dead';
          return (
            <li key={id} class="callback" data-id={id}>
              <span>
                <strong>
                  <CalleeName display={display} name={name} />
                </strong>{' '}
                <span class="small quiet">{when(call.createdAt)}</span>
              </span>
              {isOpen ? (
                <LogEntryLine
                  call={call}
                  formerRecord={entry.formerRecord}
                  onRemoved={(isRemoved) => setKept(isRemoved ? entry : undefined)}
                />
              ) : (
                <div class="row">
                  <Button
                    class="choose-record"
                    label={text('popup_chooseRecord')}
                    aria-label={`${text('popup_chooseRecord')}: ${display}`}
                    aria-expanded={false}
                    onClick={() => {
                      setOpened(id);
                      setKept(undefined);
                    }}
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

/** The newest first, as the list is. */
const withKept = (entries: readonly HistoryEntry[], kept: HistoryEntry): HistoryEntry[] =>
  [...entries, kept].sort((a, b) => Date.parse(b.call.createdAt) - Date.parse(a.call.createdAt));
