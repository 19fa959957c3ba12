import { text } from '../../text.ts';
import { countryOptions } from './countries.ts';
import { DialRulesEditor } from './dial-rules-editor.tsx';
import { DialTester } from './dial-tester.tsx';
import { SelectField, TextField } from './fields.tsx';
import { ListField } from './list-field.tsx';

export function NumbersSection() {
  return (
    <>
      <SelectField
        id="country"
        path="numbers.country"
        also={['guard.country']}
        label={text('options_country')}
        help={text('options_countryHelp')}
        options={countryOptions()}
      />
      <TextField
        id="area-code"
        path="numbers.areaCode"
        kind="tel"
        label={text('options_areaCode')}
        help={text('options_areaCodeHelp')}
      />
      <ListField
        id="extensions"
        path="numbers.extensions"
        label={text('options_extensions')}
        placeholder="_1XXX, 200"
        help={text('options_extensionsHelp')}
      />
      <DialRulesEditor />
      <DialTester />
    </>
  );
}
