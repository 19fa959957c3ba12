/** The form's controls. Each knows its path: it shows the value, why it is refused, and whether the organisation set it. */
import type { ComponentChildren } from 'preact';
import { text } from '../../text.ts';
import { Icon } from '../parts/icon.tsx';
import { valueAt } from './draft.ts';
import { isLocked, useForm } from './form.ts';

interface FieldProps {
  id: string;
  path: string;
  label: string;
  help?: ComponentChildren;
  /** Other paths that take the same value. */
  also?: readonly string[];
}

/** Value, reason and lock of a path. */
export function useField(path: string, also: readonly string[] = []) {
  const { draft, problems, view, change } = useForm();
  const problem = problems.get(path);
  return {
    value: valueAt(draft, path),
    problem: problem === undefined ? undefined : text(problem),
    locked: isLocked(view.locked, path),
    set: (value: unknown) =>
      change(Object.fromEntries([path, ...also].map((one) => [one, value === '' ? undefined : value]))),
  };
}

export function FieldNotes({
  id,
  help,
  problem,
  locked,
}: {
  id: string;
  help?: ComponentChildren;
  problem?: string | undefined;
  locked?: boolean;
}) {
  return (
    <div id={`${id}-notes`} class="help">
      {locked && (
        <p class="locked-note">
          <Icon name="lock" />
          {text('options_locked')}
        </p>
      )}
      {problem !== undefined && <p class="problem">{problem}</p>}
      {help !== undefined && <p>{help}</p>}
    </div>
  );
}

interface TextProps extends FieldProps {
  kind?: 'text' | 'url' | 'tel';
  placeholder?: string;
}

export function TextField({ id, path, label, help, also, kind = 'text', placeholder }: TextProps) {
  const { value, problem, locked, set } = useField(path, also);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode={kind}
        dir={kind === 'text' ? 'auto' : 'ltr'}
        autocomplete="off"
        spellcheck={false}
        value={typeof value === 'string' ? value : ''}
        placeholder={placeholder ?? ''}
        disabled={locked}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-notes`}
        onInput={({ currentTarget }) =>
          set(kind === 'text' ? currentTarget.value : currentTarget.value.trim())
        }
      />
      <FieldNotes id={id} help={help} problem={problem} locked={locked} />
    </div>
  );
}

interface NumberProps extends FieldProps {
  min: number;
  max: number;
  placeholder?: string;
}

/** Holds what was typed where that is no number, so that the schema can say so. */
export function NumberField({ id, path, label, help, min, max, placeholder }: NumberProps) {
  const { value, problem, locked, set } = useField(path);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="short"
        type="number"
        min={min}
        max={max}
        value={typeof value === 'number' || typeof value === 'string' ? value : ''}
        placeholder={placeholder ?? ''}
        disabled={locked}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-notes`}
        onInput={({ currentTarget }) => set(numberOrText(currentTarget))}
      />
      <FieldNotes id={id} help={help} problem={problem} locked={locked} />
    </div>
  );
}

function numberOrText(field: HTMLInputElement): number | string {
  if (field.validity.badInput) return 'not a number';
  return field.value === '' ? '' : field.valueAsNumber;
}

interface SelectProps extends FieldProps {
  options: readonly (readonly [value: string, label: string])[];
}

export function SelectField({ id, path, label, help, also, options }: SelectProps) {
  const { draft, change } = useForm();
  const { problem, locked } = useField(path);
  const value = valueAt(draft, path);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        disabled={locked}
        value={String(value ?? '')}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-notes`}
        onChange={({ currentTarget }) =>
          change(Object.fromEntries([path, ...(also ?? [])].map((one) => [one, currentTarget.value])))
        }
      >
        {options.map(([option, words]) => (
          <option key={option} value={option} selected={option === String(value ?? '')}>
            {words}
          </option>
        ))}
      </select>
      <FieldNotes id={id} help={help} problem={problem} locked={locked} />
    </div>
  );
}

export function CheckField({ id, path, label, help }: FieldProps) {
  const { value, problem, locked, set } = useField(path);
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={value === true}
        disabled={locked}
        aria-describedby={`${id}-notes`}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      <FieldNotes id={id} help={help} problem={problem} locked={locked} />
    </div>
  );
}

interface RadioProps {
  name: string;
  path: string;
  label: string;
  options: readonly { id: string; value: string; label: string; help?: string }[];
}

export function RadioField({ name, path, label, options }: RadioProps) {
  const { value, locked, set } = useField(path);
  return (
    <fieldset class="stack" disabled={locked} aria-describedby={`${name}-notes`}>
      <legend>{label}</legend>
      {options.map((option) => (
        <div class="check" key={option.id}>
          <input
            id={option.id}
            type="radio"
            name={name}
            value={option.value}
            checked={value === option.value}
            onChange={() => set(option.value)}
          />
          <label for={option.id}>{option.label}</label>
          {option.help !== undefined && <p class="quiet small">{option.help}</p>}
        </div>
      ))}
      <FieldNotes id={name} locked={locked} />
    </fieldset>
  );
}
