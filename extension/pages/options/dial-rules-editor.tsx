import { useLayoutEffect, useState } from 'preact/hooks';
import { type DialRule, numberTypes } from '../../../shared/numbers/number-settings.ts';
import { text } from '../../text.ts';
import { Button, FieldNotes, IconButton } from '../parts/form.tsx';
import { useFocusOfRemoved } from '../parts/use-focus-of-removed.ts';
import { CountryListField } from './country-list-field.tsx';
import { CheckGroup, NumberField, TextField, useField } from './fields.tsx';

const path = 'numbers.dialRules';
/** The fewest and the most digits in a rule's fields. */
const digits = { min: 0, max: 32 };
/** The number types that a rule can match. The other types never reach the dial plan. */
const ruleTypes = numberTypes.filter((type) => type !== 'emergency' && type !== 'unknown');

/** The ordered rules of the dial plan. The first rule that matches a number changes its digits. */
export function DialRulesEditor() {
  const { value, locked, set } = useField(path);
  const rules = (value ?? []) as DialRule[];
  const focusMoved = useFocusOfMoved();
  const noteRemoval = useFocusOfRemoved(rules.length, 'add-rule');

  function move(from: number, to: number) {
    const moved = [...rules];
    moved.splice(to, 0, ...moved.splice(from, 1));
    set(moved);
    focusMoved({ from, to });
  }

  return (
    <fieldset class="stack" disabled={locked}>
      <legend>{text('options_rules')}</legend>
      <p class="quiet small">{text('options_rulesHelp')}</p>
      <FieldNotes id="dial-rules" locked={locked} />
      {rules.length === 0 && <p class="quiet empty">{text('options_noRules')}</p>}
      <ol class="rules" id="dial-rules" onClickCapture={noteRemoval}>
        {rules.map((rule, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its place in the order; it has no other name.
          <li key={index} class="rule">
            <div class="rule-head">
              <span class="rule-place">{index + 1}</span>
              <span class="grow rule-title">{rule.note || text('options_ruleUntitled')}</span>
              {!locked && (
                <>
                  <IconButton
                    icon="up"
                    class="move-rule"
                    label={text('options_ruleUp', index + 1)}
                    disabled={index === 0}
                    onClick={() => move(index, index - 1)}
                  />
                  <IconButton
                    icon="down"
                    class="move-rule"
                    label={text('options_ruleDown', index + 1)}
                    disabled={index === rules.length - 1}
                    onClick={() => move(index, index + 1)}
                  />
                  <IconButton
                    icon="remove"
                    class="remove-row"
                    label={text('page_removeNamed', rule.note || text('options_ruleUntitled'))}
                    onClick={() => set(rules.toSpliced(index, 1))}
                  />
                </>
              )}
            </div>
            <RuleFields index={index} rule={rule} locked={locked} />
          </li>
        ))}
      </ol>
      {!locked && (
        <Button
          id="add-rule"
          icon="add"
          label={text('options_ruleAdd')}
          onClick={() => set([...rules, { when: {} }])}
        />
      )}
    </fieldset>
  );
}

/**
 * Keeps the focus on the button that moved a rule, or on its other button at the end of the list. A second press in the
 * same place would otherwise move another rule back.
 */
function useFocusOfMoved() {
  const [last, setLast] = useState<{ from: number; to: number }>();
  useLayoutEffect(() => {
    if (!last) return;
    const moved = document.querySelector(`#dial-rules > :nth-child(${last.to + 1})`);
    const buttons = [...(moved?.querySelectorAll<HTMLElement>('.move-rule') ?? [])];
    if (last.to > last.from) buttons.reverse();
    buttons.find((button) => !button.matches(':disabled'))?.focus();
  }, [last]);
  return setLast;
}

interface RuleProps {
  index: number;
  rule: DialRule;
  locked: boolean;
}

function RuleFields({ index, rule, locked }: RuleProps) {
  const at = `${path}.${index}`;
  const id = `rule-${index}`;
  return (
    <>
      <TextField id={`${id}-note`} path={`${at}.note`} label="options_ruleNote" />
      <fieldset class="stack">
        <legend>{text('options_ruleWhen')}</legend>
        <TextField id={`${id}-prefix`} path={`${at}.when.prefix`} kind="tel" label="options_rulePrefix" />
        <div class="pair">
          <NumberField id={`${id}-min`} path={`${at}.when.minLength`} label="options_ruleMin" {...digits} />
          <NumberField id={`${id}-max`} path={`${at}.when.maxLength`} label="options_ruleMax" {...digits} />
        </div>
        <RuleMore index={index} rule={rule} locked={locked} />
      </fieldset>
      <fieldset class="stack">
        <legend>{text('options_ruleThen')}</legend>
        <div class="pair">
          <NumberField id={`${id}-strip`} path={`${at}.strip`} label="options_ruleStrip" {...digits} />
          <TextField id={`${id}-prepend`} path={`${at}.prepend`} kind="tel" label="options_rulePrepend" />
        </div>
      </fieldset>
    </>
  );
}

/** Conditions that few rules have. Their lists of countries make typing slow, so they are rendered only if opened. */
function RuleMore({ index, rule, locked }: RuleProps) {
  const [isOpen, setOpen] = useState(false);
  const id = `rule-${index}`;
  const when = `${path}.${index}.when`;
  const countries = useField(`${when}.countries`);
  const types = useField(`${when}.types`);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{text('options_ruleMore')}</summary>
      {isOpen && (
        <div class="stack">
          <CountryListField
            id={`${id}-countries`}
            label={text('options_ruleCountries')}
            value={rule.when.countries ?? []}
            locked={locked}
            onChange={(list) => countries.set(list.length === 0 ? undefined : list)}
          />
          <fieldset>
            <legend>{text('options_ruleTypes')}</legend>
            <div class="types">
              <CheckGroup
                id={id}
                options={ruleTypes.map((type) => [type, text(`options_type_${type}`)])}
                chosen={rule.when.types ?? []}
                onChange={(list) => types.set(list.length === 0 ? undefined : list)}
              />
            </div>
          </fieldset>
        </div>
      )}
    </details>
  );
}
