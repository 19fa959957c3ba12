import { useEffect, useRef } from 'preact/hooks';
import { text } from '../../text.ts';

/** Clicks this soon after a button appeared were meant for something else. */
export const ignoreClicksMs = 300;

interface Props {
  number: string;
  reason: string;
  onConfirm(): void;
  onCancel(): void;
}

/** The guard's question, in our own page. Escape answers no. */
export function ConfirmCard({ number, reason, onConfirm, onCancel }: Props) {
  const confirm = useRef<HTMLButtonElement>(null);
  const shownAt = useRef(performance.now());
  useEffect(() => confirm.current?.focus(), []);
  return (
    <div
      class="notice notice-warn"
      role="alertdialog"
      aria-labelledby="confirm-question"
      aria-describedby="confirm-reason"
      id="confirm"
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      <p id="confirm-question">
        <strong>{text('page_confirmQuestion', number)}</strong>
      </p>
      <p id="confirm-reason">{reason}</p>
      <div class="row">
        <button
          type="button"
          class="primary"
          id="confirm-yes"
          ref={confirm}
          onClick={() => performance.now() - shownAt.current >= ignoreClicksMs && onConfirm()}
        >
          {text('page_confirmYes')}
        </button>
        <button type="button" id="confirm-no" onClick={onCancel}>
          {text('page_cancel')}
        </button>
      </div>
    </div>
  );
}
