import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Call } from '../../../shared/call/call.ts';
import { type EntryStatus, isPendingEntry, type LinkedRecord } from '../../../shared/record/call-parts.ts';
import { type RecordKey, recordKeyOf } from '../../../shared/record/template.ts';
import { recordLabel } from '../../record-label.ts';
import { isTextKey, text } from '../../text.ts';
import { ErrorNotice } from './error-notice.tsx';
import { Button } from './form.tsx';
import { RecordChoices } from './record-choices.tsx';
import { sendRequest } from './send-request.ts';
import { useAction } from './use-action.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { useVisibleInterval } from './use-reply.ts';

/** How often an unfinished entry is read again, in case its event does not arrive. */
const readAgainMs = 3000;

interface Props {
  call: Call;
  /** Whether a call without a record may get one. */
  mayChoose?: boolean;
  formerRecord?: RecordKey | undefined;
  /** Called if the agent chose to log the call on no record, or took that back. */
  onRemoved?(isRemoved: boolean): void;
}

/** The call's record, the state of its log entry, and the agent's other choices. */
export function LogEntryLine({ call, mayChoose = false, formerRecord, onRemoved }: Props) {
  const { id, entry } = call;
  /** The record that was removed. Null: the call had none. */
  const [removed, setRemoved] = useState<LinkedRecord | null>();
  const isRemoved = removed !== undefined;
  const hasRecord = call.record !== undefined;
  // If the call has a record again, it was chosen in another window, or elsewhere on this page.
  useEffect(() => {
    if (hasRecord) setRemoved(undefined);
  }, [hasRecord]);
  const record = isRemoved ? undefined : call.record;
  const [isChoosing, setChoosing] = useState<boolean>();
  const line = useKeptFocus<HTMLDivElement>('.other-record');
  useReadAgain(id, entry !== undefined && isPendingEntry(entry));

  const choose = useAction(async (chosen: RecordKey | null) => {
    // A list of calls that need a record may remove this call before the reply arrives.
    if (!chosen) onRemoved?.(true);
    const reply = await sendRequest('page.chooseRecord', { callId: id, record: chosen });
    if (reply.ok ? chosen : !chosen) onRemoved?.(false);
    if (!reply.ok) return reply.error;
    setRemoved(chosen ? undefined : (record ?? null));
    setChoosing(undefined);
    return undefined;
  });

  if (!record && !entry && !isRemoved && !mayChoose) return null;
  const merged = mergedInto(entry);
  const asks = !isRemoved && entry?.state === 'needsAgent';
  const isOpen = isChoosing ?? (asks && merged === undefined);
  // The choices come first if the call needs a record. If the button opens them, they follow the button in Tab order.
  const choices = isOpen && (
    <RecordChoices
      callId={id}
      present={record && recordKeyOf(record)}
      former={formerRecord && recordKeyOf(formerRecord)}
      mayRepeat={asks}
      isRunning={choose.isRunning}
      onChoose={(chosen) => void choose.run(chosen)}
    />
  );
  return (
    <div class="log-entry" ref={line} data-state={entry?.state}>
      {record && (
        <p>
          {text('entry_record')} <RecordLink record={record} />
        </p>
      )}
      <p class="small" role="status">
        {entry && (record || asks) && <EntryStateText entry={entry} />}
        {!record && !asks && text('entry_none')}
      </p>
      <div class="row">
        {asks && choices}
        {record && merged !== undefined && (
          <Button
            class="log-on"
            label={text('entry_logOn', recordLabel({ ...record, id: merged }))}
            aria-disabled={choose.isRunning}
            onClick={() => void choose.run({ ...recordKeyOf(record), id: merged })}
          />
        )}
        <Button
          class="plain other-record"
          label={text(record ? 'entry_otherRecord' : 'popup_chooseRecord')}
          aria-expanded={isOpen}
          onClick={() => setChoosing(!isOpen)}
        />
        {!asks && choices}
        {(record || asks) && (
          <Button
            class="plain no-log"
            label={text('entry_noLog')}
            aria-disabled={choose.isRunning}
            onClick={() => void choose.run(null)}
          />
        )}
        {!record && removed && (
          <Button
            class="undo-no-log"
            label={text('popup_undo')}
            aria-disabled={choose.isRunning}
            onClick={() => void choose.run(recordKeyOf(removed))}
          />
        )}
      </div>
      {choose.error && <ErrorNotice error={choose.error} />}
    </div>
  );
}

function useReadAgain(id: string, isUnfinished: boolean): void {
  const read = useCallback(() => void sendRequest('page.readCall', { callId: id }), [id]);
  useVisibleInterval(isUnfinished && readAgainMs, read);
}

/** A link to the record that the call is about. */
export function RecordLink({ record }: { record: LinkedRecord }) {
  return (
    <a class="record-link" href={record.url} target="_blank" rel="noreferrer">
      {recordLabel(record)}
    </a>
  );
}

function EntryStateText({ entry }: { entry: EntryStatus }) {
  const { state, url, reason = '' } = entry;
  if (state === 'done' && url !== undefined)
    return (
      <a href={url} target="_blank" rel="noreferrer">
        {text('entry_done')}
      </a>
    );
  const key = `entry_${state}`;
  // A newer relay may send other states.
  const words = text(isTextKey(key) ? key : 'entry_waiting', whyOf(reason));
  return <span class={state === 'needsAgent' || state === 'dead' ? 'problem' : 'quiet'}>{words}</span>;
}

function mergedInto(entry: EntryStatus | undefined): string | undefined {
  return entry?.state === 'needsAgent' ? /^merged:(.+)$/.exec(entry.reason ?? '')?.[1] : undefined;
}

/** Reasons that are shown to the agent with the words of another reason. */
const sameWords: Readonly<Record<string, string>> = {
  deleted: 'notFound',
  gone: 'notFound',
  notesNotAllowed: 'forbidden',
};

/** The relay's reason in words. A reason that only an administrator can correct stays as in the docs. */
function whyOf(reason: string): string {
  const [code = '', detail = ''] = reason.split(':');
  const key = `entry_why_${sameWords[code] ?? code}`;
  return isTextKey(key) ? text(key, detail) : reason;
}
