import { useCallback, useEffect, useState } from 'preact/hooks';
import { type Outcome, outcomes } from '../../../shared/call/outcome.ts';
import type { HistoryEntry } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { Icon } from '../parts/icon.tsx';
import { saveFile } from '../parts/save-file.ts';
import { sendRequest } from '../parts/send-request.ts';
import { useChanges } from '../parts/use-reply.ts';
import { CallRow } from './call-row.tsx';
import { callsAsCsv } from './calls-csv.ts';

interface Props {
  /** The newest calls, from the panel's state. */
  recent: readonly HistoryEntry[];
  disabled: boolean;
  onDial(input: string): void;
}

/** History: the newest calls, older ones on demand, searched in numbers and notes, of one outcome or of all. */
export function RecentCalls({ recent, disabled, onDial }: Props) {
  const [search, setSearch] = useState('');
  const [outcome, setOutcome] = useState<Outcome | ''>('');
  const [older, setOlder] = useState<{ entries: readonly HistoryEntry[]; next?: string }>();
  const searching = search.trim() !== '' || outcome !== '';
  const query = {
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(outcome !== '' && { outcome }),
  };
  const key = JSON.stringify(query);
  const [changes, setChanges] = useState(0);
  const listVersion = searching ? changes : 0;
  useChanges(
    ['calls'],
    useCallback(() => setChanges((before) => before + 1), []),
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: found calls change their outcome, and new ones come.
  useEffect(() => {
    if (!searching) return setOlder(undefined);
    let stale = false;
    void sendRequest('page.history', JSON.parse(key)).then((reply) => {
      if (!stale) setOlder(reply.ok ? reply.value : { entries: [] });
    });
    return () => {
      stale = true;
    };
  }, [key, searching, listVersion]);

  async function more() {
    const before = older?.next ?? recent.at(-1)?.call.createdAt;
    const reply = await sendRequest('page.history', {
      ...query,
      ...(before !== undefined && { before }),
    });
    if (reply.ok) setOlder({ ...reply.value, entries: [...(older?.entries ?? []), ...reply.value.entries] });
  }

  const forget = (id: string) =>
    setOlder((now) => now && { ...now, entries: now.entries.filter((entry) => entry.id !== id) });

  const shown = searching
    ? (older?.entries ?? [])
    : withoutDuplicates([...recent, ...(older?.entries ?? [])]);
  const mayHaveMore = searching
    ? older?.next !== undefined
    : older
      ? older.next !== undefined
      : recent.length >= 10;
  const lostToday = recent.filter(
    ({ call }) => call.reason === 'callerNoAnswer' && isToday(call.createdAt),
  ).length;

  return (
    <section class="card" aria-labelledby="recent-title">
      <div class="recent-head">
        <h2 id="recent-title">{text('popup_recent')}</h2>
        {recent.length > 0 && (
          <button type="button" class="plain" id="export-csv" onClick={() => void exportCalls()}>
            <Icon name="download" />
            {text('popup_exportCsv')}
          </button>
        )}
      </div>
      {lostToday > 0 && (
        <p class="small lost-count" id="lost-count">
          {text(lostToday === 1 ? 'popup_lostToday_one' : 'popup_lostToday_other', lostToday)}
        </p>
      )}
      {(recent.length > 0 || searching) && (
        <div class="recent-filter">
          <input
            id="search"
            type="search"
            value={search}
            placeholder={text('popup_search')}
            aria-label={text('popup_search')}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
          <select
            id="outcome"
            value={outcome}
            aria-label={text('popup_filter')}
            onChange={({ currentTarget }) => setOutcome(currentTarget.value as Outcome | '')}
          >
            <option value="">{text('popup_filter_all')}</option>
            {outcomes.map((each) => (
              <option key={each} value={each}>
                {text(`popup_outcome_${each}`)}
              </option>
            ))}
          </select>
        </div>
      )}
      {shown.length === 0 && (
        <p class="quiet empty">{text(searching ? 'popup_nothingFound' : 'popup_noCalls')}</p>
      )}
      <ul id="recent">
        {shown.map((entry) => (
          <CallRow key={entry.id} entry={entry} disabled={disabled} onDial={onDial} onDeleted={forget} />
        ))}
      </ul>
      {mayHaveMore && (
        <button type="button" class="plain" id="older" onClick={() => void more()}>
          {text('popup_older')}
        </button>
      )}
    </section>
  );
}

function withoutDuplicates(entries: readonly HistoryEntry[]): HistoryEntry[] {
  return [...new Map(entries.toReversed().map((entry) => [entry.id, entry])).values()].toReversed();
}

const isToday = (iso: string) => new Date(iso).toDateString() === new Date().toDateString();

/** Reads the whole history and saves it as a CSV file. */
async function exportCalls(): Promise<void> {
  const entries: HistoryEntry[] = [];
  let before: string | undefined;
  do {
    const reply = await sendRequest('page.history', before === undefined ? {} : { before });
    if (!reply.ok) break;
    entries.push(...reply.value.entries);
    before = reply.value.next;
  } while (before !== undefined);
  saveFile(`dialmark-calls-${new Date().toISOString().slice(0, 10)}.csv`, 'text/csv', callsAsCsv(entries));
}
