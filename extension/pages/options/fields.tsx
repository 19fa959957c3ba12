/**
 * The form's controls. Each shows the value at its path, and why it is refused. If the organisation set it, the control
 * says so, without help for a change.
 */
import type { ComponentChildren } from 'preact';
import { valueAt } from '../../dotted-path.ts';
import { isTextKey, type TextKey, text } from '../../text.ts';
import { CheckBox, controlProps, Field, FieldNotes, InputField } from '../parts/form.tsx';
import { isLocked } from '../parts/is-locked.ts';
import { withScheme } from '../parts/used-addresses.ts';
import { useForm } from './settings-form.ts';

interface SettingProps {
  id: string;
  path: string;
  /** The key of the label's text, by default `options_<name>`. If there is a text `<label>Help`, it is the help. */
  label?: TextKey;
  /** The help, instead of the text `<label>Help`. */
  help?: ComponentChildren;
}

/** Value, problem and lock of a path. */
export function useField(path: string) {
  const { draft, problems, view, change } = useForm();
  const problem = problems.get(path);
  return {
    value: valueAt(draft, path),
    problem: problem && text(problem),
    locked: isLocked(view.locked, path),
    set: (value: unknown) => change({ [path]: value === '' ? undefined : value }),
  };
}

export function helpFor(label: TextKey): string | undefined {
  const key = `${label}Help`;
  return isTextKey(key) ? text(key) : undefined;
}

/** The field of a setting: its value, the function that sets it, the label's key, and what is shown around it. */
function useSetting({ id, path, label = labelKeyOf(path), help = helpFor(label) }: SettingProps) {
  const { value, set, ...state } = useField(path);
  return { value, set, label, field: { id, label: text(label), help, ...state } };
}

const labelKeyOf = (path: string) => `options_${path.slice(path.lastIndexOf('.') + 1)}` as TextKey;

interface TextProps extends SettingProps {
  kind?: 'text' | 'url' | 'tel';
  placeholder?: string;
}

export function TextField({ kind = 'text', placeholder = '', ...setting }: TextProps) {
  const { value, set, field } = useSetting(setting);
  return (
    <InputField
      {...field}
      value={typeof value === 'string' ? value : ''}
      onText={(typed) => set(kind === 'text' ? typed : typed.trim())}
      input={{
        inputMode: kind,
        dir: kind === 'text' ? 'auto' : 'ltr',
        placeholder: field.locked ? '' : placeholder,
        // A person cannot see blanks that came with a pasted code.
        onChange: ({ currentTarget }) => {
          const typed = currentTarget.value.trim();
          set(kind === 'url' ? withScheme(typed) : typed);
        },
      }}
    />
  );
}

interface NumberProps extends SettingProps {
  min: number;
  max: number;
  placeholder?: string;
}

/** Sets a text for input that is not a number, so that the schema refuses it. */
export function NumberField({ min, max, placeholder = '', ...setting }: NumberProps) {
  const { value, set, field } = useSetting(setting);
  return (
    <Field {...field}>
      <input
        {...controlProps(field)}
        class="short"
        type="number"
        min={min}
        max={max}
        value={typeof value === 'number' || typeof value === 'string' ? value : ''}
        placeholder={field.locked ? '' : placeholder}
        onInput={({ currentTarget }) => set(numberOrText(currentTarget))}
      />
    </Field>
  );
}

function numberOrText(field: HTMLInputElement): number | string {
  if (field.validity.badInput) return 'not a number';
  return field.value === '' ? '' : field.valueAsNumber;
}

interface SelectProps extends SettingProps {
  /** Without words, an option shows the text `<label>_<value>`. */
  options: readonly (string | readonly [value: string, words: string])[];
}

export function SelectField({ options, ...setting }: SelectProps) {
  const { change } = useForm();
  const { value, label, field } = useSetting(setting);
  const chosen = String(value ?? '');
  return (
    <Field {...field}>
      <select
        {...controlProps(field)}
        value={chosen}
        // Not `set`: the empty language is a value.
        onChange={({ currentTarget }) => change({ [setting.path]: currentTarget.value })}
      >
        {options.map((option) => {
          const [own, words] =
            typeof option === 'string' ? [option, text(`${label}_${option}` as TextKey)] : option;
          return (
            <option key={own} value={own} selected={own === chosen}>
              {words}
            </option>
          );
        })}
      </select>
    </Field>
  );
}

export function CheckField(setting: SettingProps) {
  const { value, set, field } = useSetting(setting);
  return <CheckBox {...field} checked={value === true} onCheck={set} />;
}

interface RadioProps {
  name: string;
  path: string;
  label: TextKey;
  options: readonly (readonly [value: string, label: TextKey])[];
}

export function RadioField({ name, path, label, options }: RadioProps) {
  const { value, locked, set } = useField(path);
  return (
    <fieldset class="stack" disabled={locked} aria-describedby={`${name}-notes`}>
      <legend>{text(label)}</legend>
      {options.map(([option, words]) => (
        <div class="check" key={option}>
          <input
            id={`${name}-${option}`}
            type="radio"
            name={name}
            value={option}
            checked={value === option}
            onChange={() => set(option)}
          />
          <label for={`${name}-${option}`}>{text(words)}</label>
          {!locked && <p class="quiet small">{helpFor(words)}</p>}
        </div>
      ))}
      <FieldNotes id={name} locked={locked} />
    </fieldset>
  );
}

interface CheckGroupProps<Value extends string | number> {
  /** The boxes' ids are `<id>-<value>`. */
  id: string;
  options: readonly (readonly [value: Value, words: string])[];
  chosen: readonly Value[];
  onChange(chosen: Value[]): void;
}

export function CheckGroup<Value extends string | number>(props: CheckGroupProps<Value>) {
  const { id, options, chosen, onChange } = props;
  return options.map(([value, words]) => (
    <div class="check" key={value}>
      <input
        id={`${id}-${value}`}
        type="checkbox"
        checked={chosen.includes(value)}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
        }
      />
      <label for={`${id}-${value}`}>{words}</label>
    </div>
  ));
}
