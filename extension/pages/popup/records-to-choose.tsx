import { useState } from 'preact/hooks';
import { when } from '../../format.ts';
import type { HistoryEntry } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { Button } from '../parts/form.tsx';
import { CalleeName } from '../parts/known-number.tsx';
import { LogEntryLine } from '../parts/log-entry.tsx';
import { useKeptFocus } from '../parts/use-kept-focus.ts';
import { usePassFocusOn } from '../parts/use-pass-focus-on.ts';

/**
 * Calls whose log entry needs the agent. One click shows the records to choose from, and the next click chooses one.
 */
export function RecordsToChoose({ entries }: { entries: readonly HistoryEntry[] }) {
  const [opened, setOpened] = useState<string>();
  /** The opened call that the agent chose not to log. It needs no choice any more, but its row has the undo button. */
  const [kept, setKept] = useState<HistoryEntry>();
  const rows = !kept || entries.some(({ id }) => id === kept.id) ? entries : withKept(entries, kept);
  // The button that opens a row disappears when it is pressed.
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
            // A row whose entry was given up shows the reason at once.
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
  /** Called if the agent chose to log the call on no record, or took that back. */
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

/** The newest first, like the list. */
const withKept = (entries: readonly HistoryEntry[], kept: HistoryEntry): HistoryEntry[] =>
  [...entries, kept].sort((a, b) => Date.parse(b.call.createdAt) - Date.parse(a.call.createdAt));
