import { useState } from 'preact/hooks';
import { text } from '../../text.ts';
import { Icon } from '../parts/icon.tsx';

interface Props {
  id: string;
  label: string;
  note?: string;
  problem?: string | undefined;
  value: string;
}

/** A value with a button that copies it unchanged. */
export function CopyableValue({ id, label, note, problem, value }: Props) {
  const [state, setState] = useState<'copied' | 'copyFailed'>();
  return (
    <div class="value">
      <div class="value-label">
        {label}
        {note !== undefined && <span class="quiet small">{note}</span>}
        <span class="quiet small" role="status">
          {state !== undefined && text(`registration_${state}`)}
        </span>
      </div>
      <pre>
        <code id={id} dir="ltr">
          {value}
        </code>
      </pre>
      <button
        type="button"
        id={`copy-${id}`}
        aria-label={text('registration_copyWhat', label)}
        onClick={() =>
          void navigator.clipboard.writeText(value).then(
            () => setState('copied'),
            () => setState('copyFailed'),
          )
        }
      >
        <Icon name="copy" />
        {text('registration_copy')}
      </button>
      {problem !== undefined && <p class="problem">{problem}</p>}
    </div>
  );
}
