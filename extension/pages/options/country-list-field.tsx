import { text } from '../../text.ts';
import { Icon } from '../parts/icon.tsx';
import { countryName, countryOptions } from './countries.ts';
import { Field } from './fields.tsx';

interface Props {
  id: string;
  label: string;
  help?: string;
  value: readonly string[];
  locked?: boolean;
  onChange(value: string[]): void;
}

/** Countries as removable chips, and a list to add one. */
export function CountryListField({ id, label, help, value, locked = false, onChange }: Props) {
  return (
    <Field id={id} label={label} help={help} locked={locked}>
      {value.length > 0 && (
        <ul class="chips" aria-label={label}>
          {value.map((code) => (
            <li key={code}>
              {countryName(code)}
              <button
                type="button"
                class="plain icon"
                disabled={locked}
                aria-label={text('options_removeCountry', countryName(code))}
                onClick={() => onChange(value.filter((one) => one !== code))}
              >
                <Icon name="remove" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <select
        id={id}
        disabled={locked}
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
