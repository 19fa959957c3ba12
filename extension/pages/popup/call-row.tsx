import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { isFinished } from '../../../shared/call/call.ts';
import { type Outcome, outcomeOf } from '../../../shared/call/outcome.ts';
import { durationInWords, when } from '../../format.ts';
import { maxOwnNoteCharacters } from '../../messages/fields.ts';
import type { HistoryEntry, KnownNumber } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { AskedButton } from '../parts/asked-button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { IconButton } from '../parts/form.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { CalleeName, isForbidden, KnownFacts } from '../parts/known-number.tsx';
import { RecordLink } from '../parts/log-entry.tsx';
import { redialChoices, redialInput } from '../parts/redial-input.ts';
import { sendRequest } from '../parts/send-request.ts';
import { tooLongText } from '../parts/too-long-text.ts';
import { withNumbers } from '../parts/unbroken-numbers.ts';
import { keepDraft, readDraft, useDraft } from '../parts/unsaved-draft.ts';
import { useKeptFocus } from '../parts/use-kept-focus.ts';
import { usePassFocusOn } from '../parts/use-pass-focus-on.ts';
import type { CallChoices } from '../parts/use-place-call.ts';
import { WrapUpCard } from '../parts/wrap-up.tsx';
import { isChanged, type WrapUpForm } from '../parts/wrap-up-form.ts';
import { DoNotCallButton } from './do-not-call.tsx';
import { Recording } from './recording.tsx';

interface Props {
  entry: HistoryEntry;
  known: KnownNumber;
  disabled: boolean;
  onDial(input: string, choices: CallChoices): void;
}

/**
 * One call of the history: name, number, time, outcome and record. If opened, it also shows the recording, and the note
 * or wrap-up.
 */
export function CallRow({ entry, known, disabled, onDial }: Props) {
  const { call, id, display } = entry;
  const outcome = outcomeOf(call);
  // A closed row does not request the rules and saves nothing.
  const [isOpen, setOpen] = useState(false);
  const row = usePassFocusOn<HTMLLIElement>('summary', 'recent-title');
  const details = useKeptFocus<HTMLDetailsElement>('summary');
  return (
    <li
      ref={row}
      class={`call outcome-${icons[outcome]}`}
      data-state={call.state}
      data-reason={call.reason}
      data-id={id}
    >
      <details ref={details} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <Icon name={icons[outcome]} />
          <span class="call-main">
            <CalleeName display={display} name={entry.name ?? known.name} />
            <span class="quiet small">
              {when(call.createdAt)} · {wordsFor(outcome, entry)}
            </span>
            <UnsavedNote entry={entry} />
          </span>
          {(call.wrapUp?.note ?? entry.note) !== '' && <Sign icon="note" label={text('popup_note')} />}
          {call.recordingUrl !== undefined && <Sign icon="play" label={text('popup_hasRecording')} />}
        </summary>
        <div class="call-more stack">
          <p>{withNumbers(entry.sentence)}</p>
          <p class="small">
            <KnownFacts known={known} />
          </p>
          <div class="row">
            <CopyButton class="copy-number" value={display} label={text('popup_copy')} />
            {call.recordingUrl !== undefined && (
              <Recording id={id} call={{ ...call, recordingUrl: call.recordingUrl }} />
            )}
          </div>
          {!entry.hasWrapUp && <Note entry={entry} />}
          {entry.hasWrapUp && isOpen && <WrapUpCard entry={entry} />}
          {entry.hasWrapUp && known.refusal === undefined && <DoNotCallButton id={id} display={display} />}
          {isFinished(call) && (
            <AskedButton
              class="plain delete-call"
              label={text('popup_delete')}
              questionId={`delete-${id}`}
              question={text('popup_deleteQuestion')}
              yes={text('popup_delete')}
              // The list is then read again, as after every change of calls.
              onYes={async () => (await sendRequest('page.forgetCall', { id })).error}
            />
          )}
        </div>
      </details>
      {call.record && <RecordLink record={call.record} />}
      {!isForbidden(known) && (
        <IconButton
          icon="phone"
          class="redial"
          disabled={disabled}
          label={
            call.state === 'failed'
              ? `${text('popup_callAgain')} ${display}`
              : text('page_callNumber', display)
          }
          onClick={() => onDial(redialInput(entry), redialChoices(entry))}
        />
      )}
    </li>
  );
}

/** A sign that the call has a note or a recording. */
function Sign({ icon, label }: { icon: IconName; label: string }) {
  return (
    <span class="quiet" title={label}>
      <Icon name={icon} />
      <span class="visually-hidden">{label}</span>
    </span>
  );
}

/** Says that text typed for this call is not saved. The form is hidden when the next call begins. */
function UnsavedNote({ entry: { id, call, hasWrapUp, note } }: { entry: HistoryEntry }) {
  const typed = useDraft<Pick<WrapUpForm, 'draft'> | string>(hasWrapUp ? id : noteName(id));
  const isUnsaved =
    typeof typed === 'string' ? typed !== note : typed && isChanged({ ...typed, seen: call.wrapUp });
  if (!isUnsaved) return null;
  return (
    <span class="small unsaved-note">
      <Icon name="note" /> {text('popup_noteUnsaved')}
    </span>
  );
}

const noteName = (id: string) => `note-${id}`;

function Note({ entry }: { entry: HistoryEntry }) {
  const [{ note, kept }, setForm] = useState({ note: entry.note, kept: entry.note });
  const isSaved = note === kept;
  const tooLong = tooLongText(note, maxOwnNoteCharacters);
  /** Text that was typed during a save is not part of that save. */
  const latest = useRef(note);
  latest.current = note;
  const id = noteName(entry.id);
  const setNote = useCallback((typed: string) => setForm((form) => ({ ...form, note: typed })), []);
  useEffect(() => {
    void readDraft<string>(id).then((draft) => draft !== undefined && setNote(draft));
  }, [id, setNote]);
  // The panel of another window has saved the note. Text that is being written here stays.
  useEffect(() => {
    setForm((form) => ({ note: form.note === form.kept ? entry.note : form.note, kept: entry.note }));
  }, [entry.note]);
  function type(typed: string) {
    setNote(typed);
    keepDraft(id, typed === kept ? undefined : typed);
  }
  async function save() {
    if (isSaved || tooLong) return;
    const reply = await sendRequest('page.note', { id: entry.id, note });
    if (!reply.ok) return;
    setForm((form) => ({ ...form, kept: note }));
    if (latest.current === note) keepDraft(id, undefined);
  }
  return (
    <div class="field">
      <label for={id}>{text('popup_note')}</label>
      <textarea
        id={id}
        rows={2}
        value={note}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onBlur={() => void save()}
      />
      <span class="help" role="status">
        {note !== '' && (tooLong ?? text(isSaved ? 'popup_noteSaved' : 'popup_noteUnsaved'))}
      </span>
    </div>
  );
}

const icons: Record<Outcome, IconName> = {
  live: 'ongoing',
  answered: 'answered',
  ended: 'unknown',
  busy: 'missed',
  noAnswer: 'missed',
  declined: 'missed',
  callerNotReached: 'missed',
  refused: 'failed',
  notPlaced: 'failed',
  mayHaveRung: 'unknown',
  unknown: 'unknown',
};

/** The talk time of an answered call, if it is known; else the outcome in words. */
function wordsFor(outcome: Outcome, { call: { talkSeconds } }: HistoryEntry): string {
  const isTimed = outcome === 'answered' && talkSeconds !== undefined;
  return isTimed ? durationInWords(talkSeconds) : text(`popup_outcome_${outcome}`);
}
