import type { RecordKey } from '../../../shared/record/template.ts';
import { recordLabel } from '../../record-label.ts';
import { text } from '../../text.ts';
import { ErrorNotice } from './error-notice.tsx';
import { Button } from './form.tsx';
import { useReply } from './use-reply.ts';

interface Props {
  callId: string;
  onChoose(record: RecordKey): void;
}

/** Records that a call without one may be about: those with its number, and the one that the active tab shows. */
export function RecordChoices({ callId, onChoose }: Props) {
  const [candidates] = useReply('page.recordCandidates', { callId }, []);
  const [panel] = useReply('page.state', {}, ['tab']);
  const shown = panel.state === 'ready' ? panel.value.tab?.shown : undefined;
  if (candidates.state === 'loading') return <p class="quiet">{text('page_loading')}</p>;
  const found =
    candidates.state === 'ready'
      ? candidates.value.map(({ record: { system, kind, id }, name, organisation }) => ({
          record: { system, kind, id },
          label: [organisation ? `${name}, ${organisation}` : name, recordLabel({ system, kind, id })].join(
            ' · ',
          ),
        }))
      : [];
  const ofTab = shown?.record ? [{ record: shown.record, label: shown.label }] : [];
  const all = new Map([...ofTab, ...found].map((choice) => [recordLabel(choice.record), choice]));
  return (
    <>
      {candidates.state === 'error' && <ErrorNotice error={candidates.error} />}
      {[...all.values()].map(({ record, label }) => (
        <Button
          key={label}
          class="log-on"
          label={text('entry_logOn', label)}
          onClick={() => onChoose(record)}
        />
      ))}
    </>
  );
}
