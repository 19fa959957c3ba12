import { useRef, useState } from 'preact/hooks';
import { countryName, text } from '../../text.ts';
import { controlProps, Field, IconButton } from '../parts/form.tsx';
import { useFocusOfRemoved } from '../parts/use-focus-of-removed.ts';
import { countryOptions } from './countries.ts';

interface Props {
  id: string;
  label: string;
  value: readonly string[];
  locked?: boolean;
  onChange(value: string[]): void;
}

/** Countries as removable chips, and a list to add one. If the field is locked, only their names. */
export function CountryListField({ id, label, value, locked = false, onChange }: Props) {
  const noteRemoval = useFocusOfRemoved(value.length, id);
  if (locked)
    return (
      <Field id={id} label={label} locked>
        <input {...controlProps({ id, locked })} value={value.map(countryName).join(', ')} />
      </Field>
    );
  return (
    <Field id={id} label={label}>
      {value.length > 0 && (
        <ul class="chips" aria-label={label} onClickCapture={noteRemoval}>
          {value.map((code) => (
            <li key={code}>
              {countryName(code)}
              <IconButton
                icon="remove"
                class="remove-row"
                label={text('page_removeNamed', countryName(code))}
                onClick={() => onChange(value.filter((one) => one !== code))}
              />
            </li>
          ))}
        </ul>
      )}
      <CountryToAdd id={id} taken={value} onAdd={(code) => onChange([...value, code])} />
    </Field>
  );
}

interface AddProps {
  id: string;
  /** Countries that the list does not offer. */
  taken: readonly string[];
  onAdd(code: string): void;
}

/**
 * A list of countries. A click on a country adds it. By keyboard, each key in a closed list chooses another country. So
 * the chosen one is added when the list loses the focus.
 */
function CountryToAdd({ id, taken, onAdd }: AddProps) {
  const [chosen, setChosen] = useState('');
  const isByKeyboard = useRef(false);
  const add = (code: string) => {
    setChosen('');
    if (code !== '') onAdd(code);
  };
  return (
    <select
      id={id}
      value={chosen}
      aria-describedby={`${id}-notes`}
      onKeyDown={() => {
        isByKeyboard.current = true;
      }}
      onPointerDown={() => {
        isByKeyboard.current = false;
      }}
      onChange={({ currentTarget }) => {
        const code = currentTarget.value;
        if (isByKeyboard.current) setChosen(code);
        else {
          currentTarget.value = '';
          add(code);
        }
      }}
      onBlur={() => add(chosen)}
    >
      <option value="">{text('options_addCountry')}</option>
      {countryOptions()
        .filter(([code]) => !taken.includes(code))
        .map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
    </select>
  );
}
