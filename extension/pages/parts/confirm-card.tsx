import type { OfferedReading } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { DeliberateButton } from './deliberate-button.tsx';
import { Button } from './form.tsx';
import { withNumbers } from './with-numbers.ts';

interface Props {
  number: string;
  reason: string;
  /** Of a number whose country is doubtful: the first is asked about, the second has its own button. */
  readings?: readonly OfferedReading[];
  onConfirm(reading?: OfferedReading): void;
  onCancel(): void;
}

/** The guard's question, in our own page. Escape answers no. */
export function ConfirmCard({ number, reason, readings = [], onConfirm, onCancel }: Props) {
  const [offered, other] = readings;
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
        <strong>{withNumbers(text('page_confirmQuestion', offered ? named(offered) : number))}</strong>
      </p>
      <p id="confirm-reason">{withNumbers(reason)}</p>
      <div class="row">
        <DeliberateButton class="primary" id="confirm-yes" isFocused onPress={() => onConfirm(offered)}>
          {text('page_confirmYes')}
        </DeliberateButton>
        {other && (
          <DeliberateButton id="confirm-other" onPress={() => onConfirm(other)}>
            <span>{withNumbers(text('page_confirmOther', named(other)))}</span>
          </DeliberateButton>
        )}
        <Button id="confirm-no" label={text('page_cancel')} onClick={onCancel} />
      </div>
    </div>
  );
}

/** `+49 30 901820, Germany` */
const named = ({ display, place }: OfferedReading): string =>
  place === undefined ? display : `${display}, ${place}`;
