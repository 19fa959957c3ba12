/** The parts of every form: a label above its control, notes below it, and buttons. */
import type { ButtonHTMLAttributes, ComponentChildren, InputHTMLAttributes } from 'preact';
import { text } from '../../text.ts';
import { Icon, type IconName } from './icon.tsx';

interface NotesProps {
  id: string;
  help?: ComponentChildren;
  /** Why the value is refused. */
  problem?: ComponentChildren;
  /** Whether the organisation has set the value. */
  locked?: boolean;
}

export function FieldNotes({ id, help, problem, locked }: NotesProps) {
  return (
    <div id={`${id}-notes`} class="help">
      {locked && (
        <p class="locked-note">
          <Icon name="lock" />
          {text('options_locked')}
        </p>
      )}
      {problem && <p class="problem">{problem}</p>}
      {help && !locked && <p>{help}</p>}
    </div>
  );
}

type FieldProps = NotesProps & { label: string; children: ComponentChildren };

export function Field({ label, children, ...notes }: FieldProps) {
  return (
    <div class="field">
      <label for={notes.id}>{label}</label>
      {children}
      <FieldNotes {...notes} />
    </div>
  );
}

/** The attributes of every field's control. */
export const controlProps = ({ id, problem, locked = false }: NotesProps) => ({
  id,
  disabled: locked,
  'aria-invalid': Boolean(problem),
  'aria-describedby': `${id}-notes`,
});

/**
 * Attributes of inputs for numbers, codes and addresses: left to right in every language, neither completed nor
 * spell-checked.
 */
export const plainInput = { dir: 'ltr', autocomplete: 'off', spellcheck: false } as const;

/** A secret is neither shown nor completed. */
export const secretText = { ...plainInput, type: 'password', autocomplete: 'new-password' } as const;

interface InputProps extends NotesProps {
  label: string;
  value: string;
  onText(typed: string): void;
  /** Further attributes of the input. */
  input?: InputHTMLAttributes<HTMLInputElement>;
  /** Buttons beside the input. */
  children?: ComponentChildren;
}

/** A labelled text input. */
export function InputField({ label, value, onText, input, children, ...notes }: InputProps) {
  const control = (
    <input
      {...controlProps(notes)}
      {...plainInput}
      type="text"
      value={value}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
      {...(children ? { class: 'grow' } : {})}
      {...input}
    />
  );
  return (
    <Field label={label} {...notes}>
      {children ? (
        <div class="row">
          {control}
          {children}
        </div>
      ) : (
        control
      )}
    </Field>
  );
}

interface CheckProps extends NotesProps {
  label: string;
  checked: boolean;
  onCheck(checked: boolean): void;
}

export function CheckBox({ label, checked, onCheck, ...notes }: CheckProps) {
  return (
    <div class="check">
      <input
        {...controlProps(notes)}
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onCheck(currentTarget.checked)}
      />
      <label for={notes.id}>{label}</label>
      <FieldNotes {...notes} />
    </div>
  );
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  label: string;
  icon?: IconName;
}

/** A button with its words, and perhaps an icon before them. */
export function Button({ label, icon, ...button }: ButtonProps) {
  return (
    <button type="button" {...button}>
      {icon && <Icon name={icon} />}
      {label}
    </button>
  );
}

/** A button that shows only its icon. Its words are its accessible name and its tooltip. */
export function IconButton({
  label,
  icon,
  class: ownClass = '',
  ...button
}: ButtonProps & { icon: IconName }) {
  return (
    <button type="button" class={`plain icon ${ownClass}`} title={label} aria-label={label} {...button}>
      <Icon name={icon} />
    </button>
  );
}
