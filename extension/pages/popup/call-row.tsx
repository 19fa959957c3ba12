import { useState } from 'preact/hooks';
import { isFinished } from '../../../shared/call/call.ts';
import type { HistoryEntry } from '../../messages.ts';
import { text } from '../../text.ts';
import { duration, when } from '../parts/format.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { redialInput } from '../parts/redial-input.ts';
import { sendRequest } from '../parts/send-request.ts';
import { Recording } from './recording.tsx';

interface Props {
  entry: HistoryEntry;
  disabled: boolean;
  onDial(input: string): void;
}

/** One call of the history: number, time and outcome; expanded, its sentence, recording and note. */
export function CallRow({ entry, disabled, onDial }: Props) {
  const { call } = entry;
  const [copied, setCopied] = useState(false);
  const outcome = outcomeOf(entry);

  async function copy() {
    await navigator.clipboard.writeText(entry.display);
    setCopied(true);
  }

  return (
    <li
      class={`call outcome-${outcome.icon}`}
      data-state={call.state}
      data-reason={call.reason}
      data-id={entry.id}
    >
      <details>
        <summary>
          <Icon name={outcome.icon} />
          <span class="call-main">
            <span class="number">{entry.display}</span>
            <span class="quiet small">
              {when(call.createdAt)} · {outcome.words}
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
          <p>{entry.sentence}</p>
          <div class="row">
            <button type="button" onClick={() => void copy()}>
              <Icon name="copy" />
              {text(copied ? 'popup_copied' : 'popup_copy')}
            </button>
            {call.recordingUrl !== undefined && (
              <Recording id={entry.id} call={{ ...call, recordingUrl: call.recordingUrl }} />
            )}
          </div>
          <Note entry={entry} />
        </div>
      </details>
      <button
        type="button"
        class="plain icon redial"
        disabled={disabled}
        title={text(call.state === 'failed' ? 'popup_callAgain' : 'popup_redial')}
        aria-label={`${text(call.state === 'failed' ? 'popup_callAgain' : 'popup_redial')} ${entry.display}`}
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

/** Only talk time proves that the callee answered. */
function outcomeOf({ call }: HistoryEntry): { icon: IconName; words: string } {
  if (!isFinished(call)) return { icon: 'ongoing', words: text('popup_outcome_ongoing') };
  if ((call.talkSeconds ?? 0) > 0) return { icon: 'answered', words: duration(call.talkSeconds ?? 0) };
  if (call.reason === 'callerNoAnswer') return { icon: 'missed', words: text('popup_outcome_lost') };
  if (call.state === 'failed') return { icon: 'failed', words: text('popup_outcome_failed') };
  if (call.state === 'unknown') return { icon: 'unknown', words: text('popup_outcome_unknown') };
  return { icon: 'missed', words: text('popup_outcome_noTalk') };
}
