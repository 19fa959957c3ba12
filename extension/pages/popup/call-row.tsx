import { useState } from 'preact/hooks';
import { isFinished } from '../../../shared/call/call.ts';
import { type Outcome, outcomeOf } from '../../../shared/call/outcome.ts';
import type { HistoryEntry } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { DestructiveQuestion } from '../parts/destructive-question.tsx';
import { duration, when } from '../parts/format.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { redialInput } from '../parts/redial-input.ts';
import { sendRequest } from '../parts/send-request.ts';
import { withNumbers } from '../parts/with-numbers.ts';
import { Recording } from './recording.tsx';

interface Props {
  entry: HistoryEntry;
  disabled: boolean;
  onDial(input: string): void;
  onDeleted(id: string): void;
}

/** One call of the history: number, time and outcome; expanded, its sentence, recording and note. */
export function CallRow({ entry, disabled, onDial, onDeleted }: Props) {
  const { call } = entry;
  const [copied, setCopied] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const outcome = outcomeOf(call);

  async function copy() {
    await navigator.clipboard.writeText(entry.display);
    setCopied(true);
  }

  return (
    <li
      class={`call outcome-${icons[outcome]}`}
      data-state={call.state}
      data-reason={call.reason}
      data-id={entry.id}
    >
      <details>
        <summary>
          <Icon name={icons[outcome]} />
          <span class="call-main">
            <span class="number">{entry.display}</span>
            <span class="quiet small">
              {when(call.createdAt)} · {wordsFor(outcome, entry)}
            </span>
          </span>
          {(entry.note !== '' || call.recordingUrl !== undefined) && (
            <span class="quiet">
              <Icon name={entry.note === '' ? 'play' : 'note'} />
              <span class="visually-hidden">
                {text(entry.note === '' ? 'popup_hasRecording' : 'popup_hasNote')}
              </span>
            </span>
          )}
        </summary>
        <div class="call-more stack">
          <p>{withNumbers(entry.sentence)}</p>
          <div class="row">
            <button type="button" class="copy-number" onClick={() => void copy()}>
              <Icon name="copy" />
              {text(copied ? 'popup_copied' : 'popup_copy')}
            </button>
            {call.recordingUrl !== undefined && (
              <Recording id={entry.id} call={{ ...call, recordingUrl: call.recordingUrl }} />
            )}
          </div>
          <Note entry={entry} />
          {isFinished(call) && (
            <button
              type="button"
              class="plain delete-call"
              aria-expanded={isAsked}
              onClick={() => setAsked(!isAsked)}
            >
              {text('popup_delete')}
            </button>
          )}
          {isAsked && (
            <DestructiveQuestion
              id={`delete-${entry.id}`}
              question={text('popup_deleteQuestion')}
              yes={text('popup_deleteYes')}
              onYes={() =>
                void sendRequest('page.forgetCall', { id: entry.id }).then(() => onDeleted(entry.id))
              }
              onNo={() => setAsked(false)}
            />
          )}
        </div>
      </details>
      <button
        type="button"
        class="plain icon redial"
        disabled={disabled}
        title={text(call.state === 'failed' ? 'popup_callAgain' : 'page_callNumber')}
        aria-label={`${text(call.state === 'failed' ? 'popup_callAgain' : 'page_callNumber')} ${entry.display}`}
        onClick={() => onDial(redialInput(entry))}
      >
        <Icon name="phone" />
      </button>
    </li>
  );
}

function Note({ entry }: { entry: HistoryEntry }) {
  const [note, setNote] = useState(entry.note);
  const [kept, setKept] = useState(entry.note);
  const saved = note === kept;
  const id = `note-${entry.id}`;
  async function save() {
    if (saved) return;
    const reply = await sendRequest('page.note', { id: entry.id, note });
    if (reply.ok) setKept(note);
  }
  return (
    <div class="field">
      <label for={id}>{text('popup_note')}</label>
      <textarea
        id={id}
        rows={2}
        maxLength={2000}
        value={note}
        onInput={({ currentTarget }) => setNote(currentTarget.value)}
        onBlur={() => void save()}
      />
      <span class="help" role="status">
        {note !== '' && text(saved ? 'popup_noteSaved' : 'popup_noteUnsaved')}
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

/** An answered call shows how long the two talked, where that is known. */
function wordsFor(outcome: Outcome, { call: { talkSeconds } }: HistoryEntry): string {
  const isTimed = outcome === 'answered' && talkSeconds !== undefined;
  return isTimed ? duration(talkSeconds) : text(`popup_outcome_${outcome}`);
}
