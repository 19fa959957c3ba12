import type { ShownRecord } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { Button } from './form.tsx';

interface Props {
  shown: ShownRecord;
  isUsed: boolean;
  onUse(isUsed: boolean): void;
}

/** The record that a call from here is about, unless the agent removes it. */
export function PageRecord({ shown: { label }, isUsed, onUse }: Props) {
  return (
    <p class="row small" id="page-record">
      {isUsed && (
        <span>
          {text('entry_record')} <strong>{label}</strong>
        </span>
      )}
      <Button
        id="page-record-use"
        class="plain"
        label={isUsed ? text('entry_noLog') : text('entry_logOn', label)}
        onClick={() => onUse(!isUsed)}
      />
    </p>
  );
}
