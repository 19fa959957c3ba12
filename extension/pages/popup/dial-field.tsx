import type { ComponentChildren, TargetedInputEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatAsTyped } from '../../../shared/numbers/reading/dial-input.ts';
import { CallerId } from '../../../shared/service/request.ts';
import type { JudgedNumber, KnownNumber, PersonView } from '../../messages/views.ts';
import { isNameQuery } from '../../name-query.ts';
import type { Settings } from '../../settings.ts';
import { text } from '../../text.ts';
import { focusField } from '../parts/focus-field.ts';
import { Button, CheckBox, InputField, plainInput } from '../parts/form.tsx';
import { isFocusInUse } from '../parts/is-focus-in-use.ts';
import { isForbidden, KnownFacts, useKnownNumbers } from '../parts/known-number.tsx';
import { sendRequest } from '../parts/send-request.ts';
import { tooLongText } from '../parts/too-long-text.ts';
import { withNumbers } from '../parts/unbroken-numbers.ts';
import { useKeptFocus } from '../parts/use-kept-focus.ts';
import { useLatest } from '../parts/use-latest.ts';
import type { CallChoices } from '../parts/use-place-call.ts';
import { DoNotCallButton } from './do-not-call.tsx';
import { nameOf, PeopleList, usePeople } from './people-list.tsx';

interface Props {
  input: string;
  settings: Settings;
  disabled: boolean;
  /**
   * The id of the call whose outcome is not chosen yet. Digits are for its wrap-up until the agent clicks this field,
   * unless the next number is being typed here.
   */
  leavesKeys: string | undefined;
  /** The text whose call is being requested. Other text is the next number. */
  sending: string | undefined;
  /** The caller id and origin for this call only. */
  choices: CallChoices;
  onChoices(choices: CallChoices): void;
  onInput(input: string): void;
  onDial(input: string, choices: CallChoices): void;
}

/** Takes a number or a name, shows what would be dialled, and sets caller id and origin for one call. */
export function DialField({
  input,
  settings,
  disabled,
  leavesKeys,
  sending,
  choices,
  onChoices,
  onInput,
  onDial,
}: Props) {
  const tooLong = tooLongText(input);
  const asked = tooLong === undefined ? input : '';
  const judged = useJudged(asked);
  const known = useKnownNumbers(judged ? [judged.display] : [])(judged?.display ?? '');
  const [person, setPerson] = useState<PersonView>();
  const choose = (chosen: PersonView) => {
    setPerson(chosen);
    onInput(chosen.display);
  };
  const { people, reached, note, isQuery, onKeyDown } = usePeople(asked, choose);
  const field = useDialFocus(leavesKeys, input !== '' && input !== sending);
  const isCalleridInvalid = choices.callerid !== undefined && !CallerId.safeParse(choices.callerid).success;
  // Until the reply, any digits may be dialled: an agent may be faster, and the background judges again.
  const isDialable =
    /\p{Nd}/u.test(input) && judged !== null && judged?.verdict !== 'refuse' && !isForbidden(known);

  function submit(event: Event) {
    event.preventDefault();
    if (disabled || !isDialable) return;
    if (isCalleridInvalid) return focusField(document.getElementById('dial-callerid'));
    onDial(input, { ...choices, ...(person?.display === input && { name: nameOf(person) }) });
  }

  return (
    <form class="dial stack" onSubmit={submit}>
      <div class="field">
        <label for="dial-input">{text('popup_dialLabel')}</label>
        <div class="dial-row">
          <input
            {...plainInput}
            {...comboboxProps(people.length > 0 ? reached : undefined)}
            id="dial-input"
            ref={field}
            type="tel"
            inputMode="text"
            value={input}
            placeholder={text('popup_dialPlaceholder')}
            aria-describedby="dial-hint"
            onKeyDown={onKeyDown}
            onInput={(event) => onInput(formatted(event, settings))}
          />
          <Button
            id="dial-button"
            type="submit"
            // The button still takes its space, so that the field keeps its width.
            class={isForbidden(known) ? 'primary taken-away' : 'primary'}
            icon="phone"
            label={text('popup_call')}
            disabled={disabled || !isDialable}
          />
        </div>
        <PeopleList people={people} reached={reached} onChoose={choose} />
        <p class="help" id="dial-hint" aria-live="polite">
          {tooLong ?? (isQuery ? note : <DialHint input={input} judged={judged} known={known} />)}
        </p>
      </div>
      <OneCall
        settings={settings}
        choices={choices}
        problem={isCalleridInvalid && text('page_problem_callerid')}
        onChoices={onChoices}
      >
        {judged?.verdict === 'allow' && !known.refusal && settings.connection.relayUrl !== undefined && (
          <DoNotCallButton id="dialled" key={judged.display} display={judged.display} />
        )}
      </OneCall>
    </form>
  );
}

/**
 * The field is linked to the list below it. Preact's types require a `list` with this role, which only a `datalist`
 * has.
 * @param reached the option that the arrow keys have reached, -1 for the field itself; undefined without options.
 */
const comboboxProps = (reached: number | undefined): object => ({
  role: 'combobox',
  'aria-autocomplete': 'list',
  'aria-expanded': reached !== undefined,
  'aria-controls': 'people',
  ...(reached !== undefined && reached >= 0 && { 'aria-activedescendant': `person-${reached}` }),
});

/**
 * Focuses the field, unless digits are for the wrap-up. It does not take the focus from a note that the agent writes
 * while its outcome is saved. If the next number is being typed, its other digits would choose outcomes.
 */
function useDialFocus(leavesKeys: string | undefined, isNextTyped: boolean) {
  const field = useRef<HTMLInputElement>(null);
  const latest = useRef(isNextTyped);
  latest.current = isNextTyped;
  useEffect(() => {
    if (leavesKeys === undefined) {
      if (!isFocusInUse()) field.current?.focus();
    } else if (!latest.current && field.current?.form?.contains(document.activeElement))
      (document.activeElement as HTMLElement).blur();
  }, [leavesKeys]);
  return field;
}

interface OneCallProps {
  settings: Settings;
  choices: CallChoices;
  problem: string | false;
  onChoices(choices: CallChoices): void;
  /** Further actions with the number. */
  children: ComponentChildren;
}

/** The caller id and origin for the next call only. */
function OneCall({ settings: { agent }, choices, problem, onChoices, children }: OneCallProps) {
  const { callerid = '', forceFrom = agent.forceFrom } = choices;
  // The button "Do not call" disappears once the number must not be called.
  const part = useKeptFocus<HTMLDetailsElement>('summary');
  const change = (next: { callerid?: string; forceFrom?: boolean }) => {
    const { callerid: id = callerid, forceFrom: force = forceFrom } = next;
    onChoices({
      ...(id !== '' && { callerid: id }),
      ...(force !== agent.forceFrom && { forceFrom: force }),
    });
  };
  return (
    <details class="choices" ref={part}>
      <summary>{text('popup_thisCallOnly')}</summary>
      <div class="stack">
        <InputField
          id="dial-callerid"
          label={text('options_callerid')}
          help={text('options_calleridHelp')}
          problem={problem}
          value={callerid}
          onText={(typed) => change({ callerid: typed.replace(/[\s()-]/g, '') })}
          input={{ type: 'tel', placeholder: agent.callerid ?? '' }}
        />
        <CheckBox
          id="dial-force-from"
          label={text('options_forceFrom')}
          checked={forceFrom}
          onCheck={(isForced) => change({ forceFrom: isForced })}
        />
        {children}
      </div>
    </details>
  );
}

interface HintProps {
  input: string;
  judged: JudgedNumber | null | undefined;
  known: KnownNumber;
}

function DialHint({ input, judged, known }: HintProps) {
  if (input.trim() === '') return <>{text('content_ringsFirst')}</>;
  if (judged === undefined) return <>…</>;
  if (judged === null) return <>{text('error_notANumber')}</>;
  const name = known.name !== undefined && <bdi class="callee-name">{known.name}. </bdi>;
  if (judged.verdict === 'refuse') return <span class="problem">{withNumbers(judged.reason)}</span>;
  if (known.refusal !== undefined)
    return (
      <>
        {name}
        <KnownFacts known={known} />
      </>
    );
  return (
    <>
      {name}
      {text('page_willDial')} <strong class="number">{judged.to}</strong>.{' '}
      {judged.extension !== undefined && <>{text('content_extension', judged.extension)} </>}
      {judged.verdict !== 'allow' && <span class="caution">{withNumbers(judged.reason)} </span>}
      <KnownFacts known={known} />
    </>
  );
}

/** The background's judgement of the input; undefined until the reply came. */
function useJudged(input: string): JudgedNumber | null | undefined {
  const { value, isCurrent } = useLatest(input, async () => {
    const isNumber = input.trim() !== '' && !isNameQuery(input);
    const reply = isNumber ? await sendRequest('page.judge', { input }) : undefined;
    return reply?.ok ? reply.value : null;
  });
  return isCurrent ? value : undefined;
}

/**
 * Groups the number in its country's form while a person types at the end. Deletions and edits in the middle are not
 * changed. It sets the field at once: the next key may come before the page is rendered again.
 */
function formatted(event: TargetedInputEvent<HTMLInputElement>, settings: Settings): string {
  const field = event.currentTarget;
  const deletes = event instanceof InputEvent && event.inputType.startsWith('delete');
  if (deletes || field.selectionStart !== field.value.length || isNameQuery(field.value)) return field.value;
  // Removes the earlier groups, so that only the typed digits are grouped.
  const typed = /^[\d\s().+-]*$/.test(field.value) ? field.value.replace(/[\s().-]/g, '') : field.value;
  // Short and emergency numbers are not grouped: `190` is no area code.
  const isShort = /^\d{1,3}$/.test(typed);
  const grouped = isShort ? typed : formatAsTyped(typed, settings.numbers);
  if (grouped !== field.value) field.value = grouped;
  return grouped;
}
