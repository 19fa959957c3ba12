import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { maxReasonCharacters } from '../../../shared/protocol/do-not-call.ts';
import { PlaceCallRequest } from '../../../shared/protocol/messages.ts';
import type { RecordKey } from '../../../shared/record/template.ts';
import { errorText } from '../../error-text.ts';
import type { OfferedReading } from '../../messages/views.ts';
import { recordLabel } from '../../record-label.ts';
import { text } from '../../text.ts';
import { DeliberateButton } from './deliberate-button.tsx';
import { Button, InputField } from './form.tsx';
import { tooLongText } from './too-long-text.ts';
import { withNumbers } from './unbroken-numbers.ts';
import { useFocusReturn } from './use-focus-return.ts';
import type { Placing } from './use-place-call.ts';

interface Props {
  number: string;
  reason: string;
  /** The readings of a number whose country is doubtful. The question names the first. The second has a button. */
  readings?: readonly OfferedReading[];
  /** The record that the call will be logged on, even if the tab shows another one by now. */
  record?: RecordKey | null | undefined;
  /** A field that must be filled in before a yes. It gets the focus. `disabled`: it is not filled in yet. */
  children?: ComponentChildren;
  disabled?: boolean;
  /**
   * The element that gets the focus back after any answer. By default, it is the focused element when the question
   * appears.
   */
  focused?: Element | null;
  onConfirm(reading?: OfferedReading): void;
  onCancel(): void;
}

/** The guard's question, in our own page. Escape answers no. */
export function ConfirmCard({
  number,
  reason,
  readings = [],
  record,
  children,
  disabled = false,
  focused,
  onConfirm,
  onCancel,
}: Props) {
  const [offered, other] = readings;
  const returnFocus = useFocusReturn(focused);
  const cancel = () => {
    returnFocus();
    onCancel();
  };
  const confirm = (reading?: OfferedReading) => {
    returnFocus();
    onConfirm(reading);
  };
  return (
    <div
      class="notice notice-warn"
      role="alertdialog"
      aria-labelledby="confirm-question"
      aria-describedby="confirm-reason"
      id="confirm"
      onKeyDown={(event) => event.key === 'Escape' && cancel()}
    >
      <p id="confirm-question">
        <strong>{withNumbers(text('page_confirmQuestion', offered ? named(offered) : number))}</strong>
      </p>
      <div id="confirm-reason">
        <p>{withNumbers(reason)}</p>
        {record && (
          <p id="confirm-record">
            {text('entry_record')} {recordLabel(record)}
          </p>
        )}
      </div>
      {children}
      <div class="row">
        <DeliberateButton
          class="primary"
          id="confirm-yes"
          isFocused={children === undefined}
          disabled={disabled}
          onPress={() => confirm(offered)}
        >
          {text('page_confirmYes')}
        </DeliberateButton>
        {other && (
          <DeliberateButton id="confirm-other" onPress={() => confirm(other)}>
            <span>{withNumbers(text('page_confirmOther', named(other)))}</span>
          </DeliberateButton>
        )}
        <Button id="confirm-no" label={text('page_cancel')} onClick={cancel} />
      </div>
    </div>
  );
}

interface OverrideProps {
  placing: Extract<Placing, { step: 'refused' }>;
  number: string;
  onCancel(): void;
}

/**
 * Asks for a reason, if a team's rule refuses a call that this agent may override. The relay's audit keeps the reason.
 */
export function OverrideCard({ placing, number, onCancel }: OverrideProps) {
  const { error, again, choices, focused, unusedReason } = placing;
  const [reason, setReason] = useState(unusedReason);
  useEffect(() => document.getElementById('override-reason')?.focus(), []);
  const override = PlaceCallRequest.shape.override.safeParse({ reason: reason.trim() }).data;
  return (
    <ConfirmCard
      number={number}
      reason={errorText(error)}
      record={choices.record}
      disabled={override === undefined}
      focused={focused}
      onConfirm={() => void again({ override })}
      onCancel={onCancel}
    >
      <InputField
        id="override-reason"
        label={text('override_reason')}
        problem={tooLongText(reason.trim(), maxReasonCharacters)}
        value={reason}
        onText={setReason}
      />
    </ConfirmCard>
  );
}

/** `+49 30 901820, Germany` */
const named = ({ display, place }: OfferedReading): string =>
  place === undefined ? display : `${display}, ${place}`;
