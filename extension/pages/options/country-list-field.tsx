import { countryName, text } from '../../text.ts';
import { controlProps, Field, IconButton } from '../parts/form.tsx';
import { useFocusOfRemoved } from '../parts/use-focus-of-removed.ts';
import { countryOptions } from './countries.ts';

interface Props {
  id: string;
  label: string;
  help?: string;
  value: readonly string[];
  locked?: boolean;
  onChange(value: string[]): void;
}

/** Countries as removable chips, and a list to add one; where they are locked, their names. */
export function CountryListField({ id, label, help, value, locked = false, onChange }: Props) {
  const noteRemoval = useFocusOfRemoved(value.length, id);
  if (locked)
    return (
      <Field id={id} label={label} locked>
        <input {...controlProps({ id, locked })} value={value.map(countryName).join(', ')} />
      </Field>
    );
  return (
    <Field id={id} label={label} help={help}>
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
      <select
        id={id}
        value=""
        aria-describedby={`${id}-notes`}
        onChange={({ currentTarget }) => {
          if (currentTarget.value !== '') onChange([...value, currentTarget.value]);
          currentTarget.value = '';
        }}
      >
        <option value="">{text('options_addCountry')}</option>
        {countryOptions()
          .filter(([code]) => !value.includes(code))
          .map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
      </select>
    </Field>
  );
}
