import { useMemo } from 'preact/hooks';
import { detectCountryHere } from '../../detect-country.ts';
import { valueAt } from '../../dotted-path.ts';
import { countryName, text } from '../../text.ts';
import { countryOptions } from './countries.ts';
import { DialRulesEditor } from './dial-rules-editor.tsx';
import { DialTester } from './dial-tester.tsx';
import { SelectField, TextField } from './fields.tsx';
import { ListField } from './list-field.tsx';
import { useForm } from './settings-form.ts';

/** The help, with the browser's country if another one is chosen. */
function countryHelp(chosen: string, detected: string | undefined): string {
  const help = text('options_countryHelp');
  if (detected === undefined || detected === chosen) return help;
  return `${help} ${text('options_countryDetected', countryName(detected))}`;
}

export function NumbersSection() {
  const { draft } = useForm();
  // The detection compares the time zone with those of every country. That is too slow for every key typed.
  const detected = useMemo(detectCountryHere, []);
  return (
    <>
      <SelectField
        id="country"
        path="numbers.country"
        help={countryHelp(String(valueAt(draft, 'numbers.country')), detected)}
        options={countryOptions()}
      />
      <TextField id="area-code" path="numbers.areaCode" kind="tel" />
      <ListField
        id="extensions"
        path="numbers.extensions"
        label="options_extensions"
        placeholder="_1XXX, 200"
      />
      <DialRulesEditor />
      <DialTester />
    </>
  );
}
