import { text } from '../../text.ts';
import { CountryListField } from './country-list-field.tsx';
import { NumberField, SelectField, useField } from './fields.tsx';
import { ListField } from './list-field.tsx';
import { OfficeHoursField } from './office-hours-field.tsx';

const kinds = ['otherCountries', 'premium', 'sharedCost', 'satellite', 'short'] as const;

/** The dialling guard: which numbers are called at once, which need a confirmation, and which are refused. */
export function SafetySection() {
  const countries = useField('guard.allowedCountries');
  const verdicts = (['allow', 'confirm', 'refuse'] as const).map(
    (verdict) => [verdict, text(`options_verdict_${verdict}`)] as const,
  );
  return (
    <>
      <div class="pair">
        {kinds.map((kind) => (
          <SelectField
            key={kind}
            id={`guard-${kind}`}
            path={`guard.${kind}`}
            label={`options_guard_${kind}`}
            options={verdicts}
          />
        ))}
      </div>
      <CountryListField
        id="allowed-countries"
        label={text('options_allowedCountries')}
        value={(countries.value ?? []) as string[]}
        locked={countries.locked}
        onChange={countries.set}
      />
      <ListField
        id="blocked-prefixes"
        path="guard.blockedPrefixes"
        label="options_blockedPrefixes"
        placeholder="0900, +881"
      />
      <OfficeHoursField />
      <NumberField id="max-calls" path="guard.maxCallsPerMinute" label="options_maxCalls" min={1} max={600} />
      <NumberField id="ask-again" path="agent.askAgainSeconds" label="options_askAgain" min={0} max={600} />
      <p class="quiet small">{text('guard_emergency')}</p>
    </>
  );
}
