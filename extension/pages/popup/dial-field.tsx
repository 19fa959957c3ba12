import type { TargetedInputEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatAsTyped } from '../../../shared/numbers/reading/dial-input.ts';
import { CallerId } from '../../../shared/service/request.ts';
import type { JudgedNumber } from '../../messages/views.ts';
import type { Settings } from '../../settings.ts';
import { text } from '../../text.ts';
import { Button, CheckBox, InputField } from '../parts/form.tsx';
import { plainText } from '../parts/plain-text.ts';
import { sendRequest } from '../parts/send-request.ts';
import { useLatest } from '../parts/use-latest.ts';
import type { CallChoices } from '../parts/use-place-call.ts';
import { withNumbers } from '../parts/with-numbers.ts';

interface Props {
  input: string;
  settings: Settings;
  disabled: boolean;
  /** The call whose outcome is still to be chosen: digits are for its wrap-up until the agent clicks this field. */
  leavesKeys: string | undefined;
  onInput(input: string): void;
  onDial(input: string, choices: CallChoices): void;
}

/** The dial field: formats the input, shows what would be dialled, and sets caller id and origin for one call. */
export function DialField({ input, settings, disabled, leavesKeys, onInput, onDial }: Props) {
  const judged = useJudged(input);
  const [callerid, setCallerid] = useState('');
  const [forceFrom, setForceFrom] = useState(settings.agent.forceFrom);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (leavesKeys === undefined) field.current?.focus();
    else if (field.current?.form?.contains(document.activeElement))
      (document.activeElement as HTMLElement).blur();
  }, [leavesKeys]);
  // Until the reply came, digits will do: an agent types faster than that, and the background judges again.
  const isDialable = /\d/.test(input) && judged !== null && judged?.verdict !== 'refuse';
  const isCalleridInvalid = callerid !== '' && !CallerId.safeParse(callerid).success;

  function submit(event: Event) {
    event.preventDefault();
    if (disabled || !isDialable || isCalleridInvalid) return;
    onDial(input, {
      ...(callerid === '' ? {} : { callerid }),
      ...(forceFrom === settings.agent.forceFrom ? {} : { forceFrom }),
    });
  }

  return (
    <form class="dial stack" onSubmit={submit}>
      <div class="field">
        <label for="dial-input">{text('popup_dialLabel')}</label>
        <div class="dial-row">
          <input
            {...plainText}
            id="dial-input"
            ref={field}
            type="tel"
            inputMode="tel"
            value={input}
            placeholder={text('popup_dialPlaceholder')}
            aria-describedby="dial-hint"
            onInput={(event) => onInput(formatted(event, settings))}
          />
          <Button
            id="dial-button"
            type="submit"
            class="primary"
            icon="phone"
            label={text('popup_call')}
            disabled={disabled || !isDialable}
          />
        </div>
        <p class="help" id="dial-hint" aria-live="polite">
          <DialHint input={input} judged={judged} />
        </p>
      </div>
      <details class="choices">
        <summary>{text('popup_thisCallOnly')}</summary>
        <div class="stack">
          <InputField
            id="dial-callerid"
            label={text('options_callerid')}
            help={text('options_calleridHelp')}
            problem={isCalleridInvalid && text('page_problem_callerid')}
            value={callerid}
            onText={(typed) => setCallerid(typed.replace(/[\s()-]/g, ''))}
            input={{ type: 'tel', placeholder: settings.agent.callerid ?? '' }}
          />
          <CheckBox
            id="dial-force-from"
            label={text('options_forceFrom')}
            checked={forceFrom}
            onCheck={setForceFrom}
          />
        </div>
      </details>
    </form>
  );
}

function DialHint({ input, judged }: { input: string; judged: JudgedNumber | null | undefined }) {
  if (input.trim() === '') return <>{text('popup_dialHelp')}</>;
  if (judged === undefined) return <>…</>;
  if (judged === null) return <>{text('error_notANumber')}</>;
  if (judged.verdict === 'refuse') return <span class="problem">{withNumbers(judged.reason)}</span>;
  return (
    <>
      {text('page_willDial')} <strong class="number">{judged.to}</strong>
      {judged.extension !== undefined && <> · {text('popup_extensionLater', judged.extension)}</>}
      {judged.verdict !== 'allow' && <span class="caution"> · {withNumbers(judged.reason)}</span>}
    </>
  );
}

/** The background's judgement of the input; undefined until the reply came. */
function useJudged(input: string): JudgedNumber | null | undefined {
  const { value, isCurrent } = useLatest(input, async () => {
    const reply = input.trim() === '' ? undefined : await sendRequest('page.judge', { input });
    return reply?.ok ? reply.value : null;
  });
  return isCurrent ? value : undefined;
}

/**
 * Groups the number as its country writes it while one types at the end; deletions and edits in the middle stay as they are.
 * Sets the field at once: the next key may come before the page is rendered again.
 */
function formatted(event: TargetedInputEvent<HTMLInputElement>, settings: Settings): string {
  const field = event.currentTarget;
  const deletes = event instanceof InputEvent && event.inputType.startsWith('delete');
  if (deletes || field.selectionStart !== field.value.length) return field.value;
  // Removes the earlier groups, so that only what was typed is grouped.
  const typed = /^[\d\s().+-]*$/.test(field.value) ? field.value.replace(/[\s().-]/g, '') : field.value;
  // Short and emergency numbers stand as they are dialled: `190` is no area code.
  const isShort = /^\d{1,3}$/.test(typed);
  const grouped = isShort ? typed : formatAsTyped(typed, settings.numbers);
  if (grouped !== field.value) field.value = grouped;
  return grouped;
}
