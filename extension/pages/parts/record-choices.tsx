import { type RecordKey, recordKeyOf } from '../../../shared/record/template.ts';
import { recordLabel } from '../../record-label.ts';
import { text } from '../../text.ts';
import { ErrorNotice } from './error-notice.tsx';
import { Button } from './form.tsx';
import { useReply } from './use-reply.ts';

interface Props {
  callId: string;
  /** The record that the call has now. Its log entry may not be written yet. */
  present: RecordKey | undefined;
  /** The call's earlier record, if it has none now. */
  former: RecordKey | undefined;
  /** Whether `present` is offered too. If the agent chooses it again, the relay tries the log entry again. */
  mayRepeat: boolean;
  /** Whether the relay still carries out the last choice. */
  isRunning: boolean;
  onChoose(record: RecordKey): void;
}

/** Records that a call may be about: those with its number, and the one that the active tab shows. */
export function RecordChoices({ callId, present, former, mayRepeat, isRunning, onChoose }: Props) {
  const [candidates] = useReply('page.recordCandidates', { callId }, []);
  const [panel] = useReply('page.state', {}, ['tab']);
  const shown = panel.state === 'ready' ? panel.value.tab?.shown : undefined;
  if (candidates.state === 'loading') return <p class="quiet">{text('page_loading')}</p>;
  const found =
    candidates.state === 'ready'
      ? candidates.value.map(({ record, name, organisation }) => ({
          record: recordKeyOf(record),
          label: [organisation ? `${name}, ${organisation}` : name, recordLabel(record)].join(' · '),
        }))
      : [];
  const ofTab = shown?.record ? [{ record: shown.record, label: shown.label }] : [];
  const all = new Map([...ofTab, ...found].map((choice) => [recordLabel(choice.record), choice]));
  const ownLabel = recordLabel(present);
  const formerLabel = recordLabel(former);
  if (former && !all.has(formerLabel)) all.set(formerLabel, { record: former, label: formerLabel });
  if (present && mayRepeat) all.set(ownLabel, { record: present, label: ownLabel });
  else all.delete(ownLabel);
  return (
    <>
      {candidates.state === 'error' && <ErrorNotice error={candidates.error} />}
      {[...all.values()].map(({ record, label }) => (
        <Button
          key={label}
          class="log-on"
          label={text('entry_logOn', label)}
          aria-disabled={isRunning}
          onClick={() => onChoose(record)}
        />
      ))}
      <p class="help">{text('entry_openToChoose')}</p>
    </>
  );
}
