import { countryOptions } from './countries.ts';
import { DialRulesEditor } from './dial-rules-editor.tsx';
import { DialTester } from './dial-tester.tsx';
import { SelectField, TextField } from './fields.tsx';
import { ListField } from './list-field.tsx';

export function NumbersSection() {
  return (
    <>
      <SelectField id="country" path="numbers.country" label="options_country" options={countryOptions()} />
      <TextField id="area-code" path="numbers.areaCode" kind="tel" label="options_areaCode" />
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
