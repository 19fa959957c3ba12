import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Rules } from '../../../shared/protocol/rules.ts';
import type { WrapUp as SavedWrapUp } from '../../../shared/record/call-parts.ts';
import { maxNoteCharacters, type WrapUpOutcome } from '../../../shared/record/wrap-up.ts';
import { when } from '../../format.ts';
import type { HistoryEntry } from '../../messages/views.ts';
import { languageTag, text } from '../../text.ts';
import { ErrorNotice } from './error-notice.tsx';
import { Button } from './form.tsx';
import { LogEntryLine } from './log-entry.tsx';
import { tooLongText } from './too-long-text.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { useReply } from './use-reply.ts';
import { useWrapUp } from './use-wrap-up.ts';
import {
  digitOutcomes,
  fromLocalTime,
  isChanged,
  isPlainTab,
  lacksNote,
  outcomeLabel,
  outcomeOfKey,
  toLocalTime,
  type WrapUpDraft,
  type WrapUpForm,
  withDraft,
  withMine,
  withOutcome,
  withTheirs,
  wrapUpDraftOf,
} from './wrap-up-form.ts';

interface Props {
  entry: HistoryEntry;
  /** Whether digit keys choose an outcome, pressed anywhere on this page. Only the last call has them. */
  hasKeys?: boolean;
}

/** The agent's outcome, time and note for a call, during it and afterwards. Use the call's id as its `key`. */
export function WrapUpCard({ entry, hasKeys = false }: Props) {
  const [rules] = useReply('page.rules', {}, ['settings']);
  const hasNoForm = rules.state === 'ready' && !rules.value;
  // The call's relay cannot be asked any more, for example because another address was set. A title without a form
  // would not help.
  if (hasNoForm && !entry.call.record && !entry.call.entry) return null;
  // Only the last call's form is a landmark: a screen reader cannot distinguish two landmarks of the same name.
  const Box = hasKeys ? 'section' : 'div';
  return (
    <Box
      class={hasKeys ? 'card wrap-up' : 'stack wrap-up'}
      {...(hasKeys && { 'aria-label': text('wrapUp_title') })}
    >
      {hasKeys && (
        <h2>
          {text('wrapUp_title')} <span class="number quiet">{entry.display}</span>
        </h2>
      )}
      {rules.state === 'loading' && <p class="quiet">{text('page_loading')}</p>}
      {rules.state === 'error' && <ErrorNotice error={rules.error} />}
      {rules.state === 'ready' && rules.value && (
        <Form entry={entry} outcomes={rules.value.outcomes} hasKeys={hasKeys} />
      )}
      <LogEntryLine
        call={entry.call}
        formerRecord={entry.formerRecord}
        mayChoose={rules.state === 'ready' && rules.value !== null && rules.value.templates.length > 0}
      />
    </Box>
  );
}

interface FormProps {
  entry: HistoryEntry;
  outcomes: Rules['outcomes'];
  hasKeys: boolean;
}

function Form({ entry, outcomes, hasKeys }: FormProps) {
  const { form, update, save } = useWrapUp(entry.call);
  const { draft } = form;
  const note = useRef<HTMLTextAreaElement>(null);
  const part = useKeptFocus<HTMLDivElement>('.wrap-up-conflict, .save-wrap-up');
  const change = (changed: Partial<WrapUpDraft>) => update((current) => withDraft(current, changed));
  const saveComplete = (next: WrapUpDraft) => (noteProblem(next, outcomes) ? note.current?.focus() : save());
  const choose = (outcome: WrapUpOutcome) =>
    saveComplete(update((current) => withOutcome(current, outcome, Date.now())).draft);
  useKeys(hasKeys && !form.conflict, outcomes, choose, note);
  const id = `${hasKeys ? 'last' : 'past'}-${entry.id}`;

  if (form.conflict)
    return (
      <div class="wrap-up-form" ref={part}>
        <Conflict
          mine={draft}
          theirs={form.conflict}
          outcomes={outcomes}
          onMine={() => {
            update(withMine);
            save();
          }}
          onTheirs={() => void update(withTheirs)}
        />
      </div>
    );
  return (
    <div class="wrap-up-form" ref={part}>
      <Outcomes outcomes={outcomes} chosen={draft.outcome} hasKeys={hasKeys} onChoose={choose} />
      {(draft.callBackAt !== '' || asksForTime(draft, outcomes)) && (
        <div class="field">
          <label for={`call-back-${id}`}>{text('wrapUp_callBackAt')}</label>
          <input
            id={`call-back-${id}`}
            type="datetime-local"
            // Without a `max`, Chromium takes the next typed hour for two more digits of the year.
            max="9999-12-31T23:59"
            value={toLocalTime(draft.callBackAt)}
            onChange={({ currentTarget }) => change({ callBackAt: fromLocalTime(currentTarget.value) })}
            // If the outcome still lacks its note, the time is saved later, with the note. The focus goes where the
            // agent moves it.
            onBlur={() => noteProblem(draft, outcomes) || save()}
          />
        </div>
      )}
      <div class="field">
        <label for={`note-${id}`}>{text('popup_note')}</label>
        <textarea
          id={`note-${id}`}
          ref={note}
          rows={2}
          value={draft.note}
          aria-describedby={`note-help-${id}`}
          onInput={({ currentTarget }) => change({ note: currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            saveComplete(draft);
          }}
        />
        <p class="help" id={`note-help-${id}`}>
          {text('wrapUp_noteHelp')}
        </p>
      </div>
      <div class="row">
        <Button
          class="save-wrap-up"
          label={text('options_save')}
          // Not disabled, which would take the focus from an agent who works by keyboard.
          aria-disabled={!isChanged(form) || form.isSaving}
          onClick={() => saveComplete(draft)}
        />
        <p class="help" role="status">
          {saveStatusOf(form, outcomes)}
        </p>
      </div>
      {form.error && <ErrorNotice error={form.error} retry={save} />}
      {entry.note !== '' && <p class="quiet small earlier-note">{text('wrapUp_earlierNote', entry.note)}</p>}
    </div>
  );
}

const asksForTime = ({ outcome }: WrapUpDraft, outcomes: Rules['outcomes']) =>
  outcomes.some(({ code, asksForTime }) => code === outcome && asksForTime);

/** Why the draft cannot be saved. With a `maxLength`, a browser would cut pasted text and not report it. */
const noteProblem = (draft: WrapUpDraft, outcomes: Rules['outcomes']): string | undefined =>
  lacksNote(draft, outcomes) ? text('wrapUp_needsNote') : tooLongText(draft.note, maxNoteCharacters);

function saveStatusOf(form: WrapUpForm, outcomes: Rules['outcomes']): string {
  if (form.isSaving) return '…';
  const problem = noteProblem(form.draft, outcomes);
  if (problem) return problem;
  if (isChanged(form)) return text('popup_noteUnsaved');
  return form.isSaved ? text('options_saved') : '';
}

interface OutcomesProps {
  outcomes: Rules['outcomes'];
  chosen: string;
  hasKeys: boolean;
  onChoose(outcome: WrapUpOutcome): void;
}

function Outcomes({ outcomes, chosen, hasKeys, onChoose }: OutcomesProps) {
  const keys = hasKeys ? Math.min(digitOutcomes, outcomes.length) : 0;
  return (
    <fieldset class="outcomes">
      <legend class="visually-hidden">{text('wrapUp_outcome')}</legend>
      {outcomes.map((outcome, index) => (
        <button
          key={outcome.code}
          type="button"
          class="outcome"
          data-code={outcome.code}
          aria-pressed={outcome.code === chosen}
          aria-keyshortcuts={index < keys ? String(index + 1) : undefined}
          onClick={() => onChoose(outcome)}
        >
          {index < keys && <kbd>{index + 1}</kbd>}
          <span>{outcomeLabel(outcome, languageTag())}</span>
        </button>
      ))}
      {keys > 1 && <p class="help">{text('wrapUp_hint', keys)}</p>}
    </fieldset>
  );
}

/** Handles digits pressed on this page, and Tab right after a digit. A focused field takes digits as text. */
function useKeys(
  isOn: boolean,
  outcomes: Rules['outcomes'],
  choose: (outcome: WrapUpOutcome) => void,
  note: RefObject<HTMLTextAreaElement | null>,
): void {
  const latest = useRef(choose);
  latest.current = choose;
  const hasChosen = useRef(false);
  // Before the first paint: an agent may press a digit as soon as the outcomes are visible.
  useLayoutEffect(() => {
    if (!isOn) return;
    const pressed = (event: KeyboardEvent) => {
      // Otherwise a held digit would be typed into the dial field, which gets the focus after the outcome is saved.
      if (event.repeat && hasChosen.current) return event.preventDefault();
      const outcome = outcomeOfKey(event, outcomes);
      // After an outcome is saved, the dial field has the focus. From there, the note is many Tab stops away.
      const isToNote = hasChosen.current && isPlainTab(event) && event.target !== note.current;
      if (outcome || isToNote) event.preventDefault();
      if (isToNote) note.current?.focus();
      hasChosen.current = outcome !== undefined;
      if (outcome) latest.current(outcome);
    };
    const moved = () => {
      hasChosen.current = false;
    };
    addEventListener('keydown', pressed);
    addEventListener('pointerdown', moved);
    return () => {
      removeEventListener('keydown', pressed);
      removeEventListener('pointerdown', moved);
    };
  }, [isOn, outcomes, note]);
}

interface ConflictProps {
  mine: WrapUpDraft;
  theirs: SavedWrapUp;
  outcomes: Rules['outcomes'];
  onMine(): void;
  onTheirs(): void;
}

/** The agent's version and the other one, to choose from. */
function Conflict({ mine, theirs, outcomes, onMine, onTheirs }: ConflictProps) {
  return (
    <div class="notice notice-warn wrap-up-conflict" role="alert" tabIndex={-1}>
      <p>{text('wrapUp_conflict')}</p>
      <Version draft={mine} outcomes={outcomes} />
      <Button id="keep-mine" label={text('wrapUp_keepMine')} onClick={onMine} />
      <Version draft={wrapUpDraftOf(theirs)} outcomes={outcomes} />
      <Button id="keep-theirs" label={text('wrapUp_keepTheirs')} onClick={onTheirs} />
    </div>
  );
}

function Version({ draft, outcomes }: { draft: WrapUpDraft; outcomes: Rules['outcomes'] }) {
  const outcome = outcomes.find(({ code }) => code === draft.outcome);
  const head = [outcome ? outcomeLabel(outcome, languageTag()) : draft.outcome]
    .concat(draft.callBackAt === '' ? [] : `${text('wrapUp_callBackAt')} ${when(draft.callBackAt)}`)
    .filter((part) => part !== '')
    .join(' · ');
  return (
    <blockquote>
      {head !== '' && <strong>{head}</strong>}
      <p>{draft.note || '–'}</p>
    </blockquote>
  );
}
