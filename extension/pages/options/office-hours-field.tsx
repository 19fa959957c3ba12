import type { GuardPolicy } from '../../../shared/numbers/number-settings.ts';
import { languageTag, text } from '../../text.ts';
import { CheckBox, Field } from '../parts/form.tsx';
import { CheckGroup, useField } from './fields.tsx';

type OfficeHours = NonNullable<GuardPolicy['officeHours']>;
const usual: OfficeHours = { days: [1, 2, 3, 4, 5], fromMinute: 8 * 60, toMinute: 18 * 60 };
/** 2023-01-01 was a Sunday. */
const dayName = (day: number) =>
  new Intl.DateTimeFormat(languageTag(), { weekday: 'short', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2023, 0, 1 + day)),
  );

/** When calls may be placed; without it, always. */
export function OfficeHoursField() {
  const { value, locked, problem, set } = useField('guard.officeHours');
  const hours = value as OfficeHours | undefined;
  return (
    <fieldset class="stack" disabled={locked}>
      <legend>{text('options_officeHours')}</legend>
      <CheckBox
        id="office-hours"
        label={text('options_officeHoursOn')}
        checked={hours !== undefined}
        onCheck={(isOn) => set(isOn ? usual : undefined)}
        locked={locked}
        problem={problem}
      />
      {hours && (
        <>
          <div class="row">
            <CheckGroup
              id="office-day"
              options={[1, 2, 3, 4, 5, 6, 0].map((day) => [day, dayName(day)])}
              chosen={hours.days}
              onChange={(days) => set({ ...hours, days: days.sort() })}
            />
          </div>
          <div class="pair">
            <TimeOfDay
              id="office-from"
              label={text('options_officeFrom')}
              minute={hours.fromMinute}
              onChange={(fromMinute) => set({ ...hours, fromMinute })}
            />
            <TimeOfDay
              id="office-to"
              label={text('options_officeTo')}
              minute={hours.toMinute}
              onChange={(toMinute) => set({ ...hours, toMinute })}
            />
          </div>
        </>
      )}
    </fieldset>
  );
}

function TimeOfDay(props: { id: string; label: string; minute: number; onChange(minute: number): void }) {
  const part = (value: number) => String(value).padStart(2, '0');
  return (
    <Field id={props.id} label={props.label}>
      <input
        id={props.id}
        type="time"
        value={`${part(Math.floor(props.minute / 60) % 24)}:${part(props.minute % 60)}`}
        onChange={({ currentTarget }) => {
          const [hour, minute] = currentTarget.value.split(':').map(Number);
          if (hour !== undefined && minute !== undefined) props.onChange(hour * 60 + minute);
        }}
      />
    </Field>
  );
}
