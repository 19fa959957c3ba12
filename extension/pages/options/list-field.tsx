import { useState } from 'preact/hooks';
import { type TextKey, text } from '../../text.ts';
import { InputField } from '../parts/form.tsx';
import { helpFor, useField } from './fields.tsx';
import { useForm } from './settings-form.ts';

interface Props {
  id: string;
  path: string;
  label: TextKey;
  placeholder: string;
}

/** A list of short words, separated by commas or spaces. The input keeps the typed text; the settings get the list. */
export function ListField({ id, path, label, placeholder }: Props) {
  const { problems } = useForm();
  const { value, locked, set } = useField(path);
  const list = Array.isArray(value) ? (value as string[]) : [];
  const [typed, setTyped] = useState<string>();
  const shown = typed !== undefined && sameList(splitTyped(typed), list) ? typed : list.join(', ');
  const wrong = list.filter((_, index) => problems.has(`${path}.${index}`));
  const first = problems.get(`${path}.${list.indexOf(wrong[0] ?? '')}`) ?? problems.get(path);
  const problem = first && `${wrong.join(', ')}${wrong.length > 0 ? ': ' : ''}${text(first)}`;
  return (
    <InputField
      id={id}
      label={text(label)}
      help={helpFor(label)}
      locked={locked}
      problem={problem}
      value={shown}
      onText={(value) => {
        setTyped(value);
        set(splitTyped(value));
      }}
      input={{ placeholder: locked ? '' : placeholder }}
    />
  );
}

const splitTyped = (typed: string) => typed.split(/[\s,;]+/).filter((word) => word !== '');
const sameList = (one: readonly string[], other: readonly string[]) => one.join() === other.join();
