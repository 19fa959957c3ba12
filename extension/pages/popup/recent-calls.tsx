import { useState } from 'preact/hooks';
import { type Outcome, outcomes } from '../../../shared/call/outcome.ts';
import { errorText } from '../../error-text.ts';
import type { PanelState } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { Button } from '../parts/form.tsx';
import { useKnownNumbers } from '../parts/known-number.tsx';
import { tooLongText } from '../parts/too-long-text.ts';
import { useAction } from '../parts/use-action.ts';
import { useKeptFocus } from '../parts/use-kept-focus.ts';
import type { CallChoices } from '../parts/use-place-call.ts';
import { CallRow } from './call-row.tsx';
import { exportCalls } from './export-calls.ts';
import { useHistory } from './use-history.ts';

/** An outcome of the call, or calls without a chosen outcome in their wrap-up, or all calls. */
type Filter = Outcome | 'withoutOutcome' | '';

interface Props {
  panel: PanelState;
  disabled: boolean;
  onDial(input: string, choices: CallChoices): void;
}

/**
 * The history: the newest calls, and older ones on demand. It can be searched in numbers, names and notes, and limited
 * to one outcome.
 */
export function RecentCalls({ panel, disabled, onDial }: Props) {
  const { recent, lostToday, withoutOutcome } = panel;
  const [search, setSearch] = useState('');
  const [outcome, setOutcome] = useState<Filter>('');
  const saving = useExport();
  const { isSearch, state, retry, shown, hasMore, more } = useHistory(recent, {
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(outcome === 'withoutOutcome' ? { lacksOutcome: true } : outcome !== '' && { outcome }),
  });
  const tooLong = tooLongText(search.trim());
  const emptyText = !isSearch ? 'popup_noCalls' : state === 'loading' ? 'page_loading' : 'popup_nothingFound';
  const knownOf = useKnownNumbers(shown.map(({ display }) => display));
  // The button "Older calls" disappears when the oldest call is shown.
  const section = useKeptFocus<HTMLElement>('#recent > :last-child summary');

  return (
    <section class="card" ref={section} aria-labelledby="recent-title">
      <div class="recent-head">
        <h2 id="recent-title" tabIndex={-1}>
          {text('popup_recent')}
        </h2>
        {recent.length > 0 && (
          <Button
            id="export-csv"
            class="plain"
            icon="download"
            label={text('popup_exportCsv')}
            aria-disabled={saving.isRunning}
            onClick={() => void saving.run()}
          />
        )}
      </div>
      <p class="problem" role="status" id="export-problem">
        {saving.problem}
      </p>
      {lostToday > 0 && (
        <p class="small lost-count" id="lost-count">
          {text('popup_lostToday', lostToday)}
        </p>
      )}
      {withoutOutcome > 0 && outcome !== 'withoutOutcome' && (
        <Button
          id="without-outcome"
          class="plain"
          label={text('popup_withoutOutcomeCount', withoutOutcome)}
          onClick={() => {
            // The pressed button disappears.
            document.getElementById('recent-title')?.focus();
            setOutcome('withoutOutcome');
          }}
        />
      )}
      {(recent.length > 0 || isSearch) && (
        <FilterRow search={search} outcome={outcome} onSearch={setSearch} onOutcome={setOutcome} />
      )}
      {state === 'failed' && (
        <div class="notice notice-bad" role="alert">
          <p>{tooLong ?? text('popup_historyUnread')}</p>
          {isSearch && !tooLong && <TryAgain retry={retry} />}
        </div>
      )}
      <div role="status">
        {shown.length === 0 && state !== 'failed' && <p class="quiet empty">{text(emptyText)}</p>}
      </div>
      <ul id="recent">
        {shown.map((entry) => (
          <CallRow
            key={entry.id}
            entry={entry}
            known={knownOf(entry.display)}
            disabled={disabled}
            onDial={onDial}
          />
        ))}
      </ul>
      {hasMore && <Button id="older" class="plain" label={text('popup_older')} onClick={() => void more()} />}
    </section>
  );
}

/** Searches again. The pressed button disappears, so the focus goes to the search. */
function TryAgain({ retry }: { retry(): void }) {
  const search = () => {
    document.getElementById('search')?.focus();
    retry();
  };
  return <Button label={text('page_tryAgain')} onClick={search} />;
}

/** Saves the history as a file, once at a time. A long one takes seconds, and a second press would save it twice. */
function useExport() {
  const [problem, setProblem] = useState('');
  const saving = useAction(async () => {
    const { count, error } = await exportCalls();
    setProblem(!error ? '' : count === 0 ? errorText(error) : text('popup_exportIncomplete', count));
    return undefined;
  });
  return { ...saving, problem };
}

interface FilterProps {
  search: string;
  outcome: Filter;
  onSearch(search: string): void;
  onOutcome(outcome: Filter): void;
}

function FilterRow({ search, outcome, onSearch, onOutcome }: FilterProps) {
  return (
    <div class="recent-filter">
      <input
        id="search"
        type="search"
        value={search}
        placeholder={text('popup_search')}
        aria-label={text('popup_search')}
        onInput={({ currentTarget }) => onSearch(currentTarget.value)}
      />
      <select
        id="outcome"
        value={outcome}
        aria-label={text('wrapUp_outcome')}
        onChange={({ currentTarget }) => onOutcome(currentTarget.value as Filter)}
      >
        <option value="">{text('popup_filter_all')}</option>
        <option value="withoutOutcome">{text('popup_withoutOutcome')}</option>
        {outcomes.map((each) => (
          <option key={each} value={each}>
            {text(`popup_outcome_${each}`)}
          </option>
        ))}
      </select>
    </div>
  );
}
