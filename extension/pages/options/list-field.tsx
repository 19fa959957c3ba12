import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../../text.ts';
import { FieldNotes, useField } from './fields.tsx';
import { useForm } from './form.ts';

interface Props {
  id: string;
  path: string;
  label: string;
  help?: ComponentChildren;
  placeholder?: string;
}

/** A list of short words, separated by commas or spaces. What is typed is kept as typed; the list is what is saved. */
export function ListField({ id, path, label, help, placeholder }: Props) {
  const { problems } = useForm();
  const { value, locked, set } = useField(path);
  const list = Array.isArray(value) ? (value as string[]) : [];
  const [typed, setTyped] = useState<string>();
  const shown = typed !== undefined && sameList(split(typed), list) ? typed : list.join(', ');
  const wrong = list.filter((_, index) => problems.has(`${path}.${index}`));
  const firstProblem = problems.get(`${path}.${list.indexOf(wrong[0] ?? '')}`) ?? problems.get(path);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        spellcheck={false}
        dir="ltr"
        value={shown}
        placeholder={placeholder ?? ''}
        disabled={locked}
        aria-invalid={firstProblem !== undefined}
        aria-describedby={`${id}-notes`}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          set(split(currentTarget.value));
        }}
      />
      <FieldNotes
        id={id}
        help={help}
        locked={locked}
        problem={firstProblem && `${wrong.join(', ')}${wrong.length > 0 ? ': ' : ''}${text(firstProblem)}`}
      />
    </div>
  );
}

const split = (typed: string) => typed.split(/[\s,;]+/).filter((word) => word !== '');
const sameList = (one: readonly string[], other: readonly string[]) => one.join() === other.join();
