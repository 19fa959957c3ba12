import { useState } from 'preact/hooks';
import { when } from '../../format.ts';
import type { HistoryEntry } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { Button } from '../parts/form.tsx';
import { CalleeName } from '../parts/known-number.tsx';
import { LogEntryLine } from '../parts/log-entry.tsx';
import { useKeptFocus } from '../parts/use-kept-focus.ts';
import { usePassFocusOn } from '../parts/use-pass-focus-on.ts';

/** Calls whose entry needs the agent: one click opens the choices, the next one takes one. */
export function RecordsToChoose({ entries }: { entries: readonly HistoryEntry[] }) {
  const [opened, setOpened] = useState<string>();
  /** The opened call, not to be logged: it needs the agent no longer, but its row has the undo. */
  const [kept, setKept] = useState<HistoryEntry>();
  const rows = !kept || entries.some(({ id }) => id === kept.id) ? entries : withKept(entries, kept);
  // The button that opens a row goes with its press.
  const section = useKeptFocus<HTMLElement>(`[data-id="${opened}"] .other-record`);
  if (rows.length === 0) return null;
  return (
    <section class="card" ref={section} id="records-to-choose" aria-labelledby="records-to-choose-title">
      <h2 id="records-to-choose-title">{text('popup_recordsToChoose')}</h2>
      <ul class="callbacks">
        {rows.map((entry) => (
          <RecordRow
            key={entry.id}
            entry={entry}
            // Why it was given up is to be read at once.
            isOpen={entry.id === opened || entry.call.entry?.state === 'dead'}
            onOpen={() => {
              setOpened(entry.id);
              setKept(undefined);
            }}
            onRemoved={(isRemoved) => setKept(isRemoved ? entry : undefined)}
          />
        ))}
      </ul>
    </section>
  );
}

interface RecordRowProps {
  entry: HistoryEntry;
  isOpen: boolean;
  onOpen(): void;
  /** The agent has the call logged nowhere, or no longer so. */
  onRemoved(isRemoved: boolean): void;
}

function RecordRow({ entry, isOpen, onOpen, onRemoved }: RecordRowProps) {
  const { id, display, name, call } = entry;
  const row = usePassFocusOn<HTMLLIElement>('.choose-record, .other-record', 'dial-input');
  return (
    <li ref={row} class="callback" data-id={id}>
      <span>
        <strong>
          <CalleeName display={display} name={name} />
        </strong>{' '}
        <span class="small quiet">{when(call.createdAt)}</span>
      </span>
      {isOpen ? (
        <LogEntryLine call={call} formerRecord={entry.formerRecord} onRemoved={onRemoved} />
      ) : (
        <div class="row">
          <Button
            class="choose-record"
            label={text('popup_chooseRecord')}
            aria-label={`${text('popup_chooseRecord')}: ${display}`}
            aria-expanded={false}
            onClick={onOpen}
          />
        </div>
      )}
    </li>
  );
}

/** The newest first, as the list is. */
const withKept = (entries: readonly HistoryEntry[], kept: HistoryEntry): HistoryEntry[] =>
  [...entries, kept].sort((a, b) => Date.parse(b.call.createdAt) - Date.parse(a.call.createdAt));
