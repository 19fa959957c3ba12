import type { GuardPolicy } from '../../../shared/numbers/number-settings.ts';
import { languageTag, text } from '../../text.ts';
import { CheckBox, controlProps, Field } from '../parts/form.tsx';
import { CheckGroup, useField } from './fields.tsx';

type OfficeHours = NonNullable<GuardPolicy['officeHours']>;
const usual: OfficeHours = { days: [1, 2, 3, 4, 5], fromMinute: 8 * 60, toMinute: 18 * 60 };
/** 2023-01-01 was a Sunday. */
const dayName = (day: number) =>
  new Intl.DateTimeFormat(languageTag(), { weekday: 'short', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2023, 0, 1 + day)),
  );

/** The hours in which calls may be placed. Without them, always. */
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
              path="guard.officeHours.fromMinute"
              onChange={(fromMinute) => set({ ...hours, fromMinute })}
            />
            <TimeOfDay
              id="office-to"
              label={text('options_officeTo')}
              path="guard.officeHours.toMinute"
              onChange={(toMinute) => set({ ...hours, toMinute })}
            />
          </div>
        </>
      )}
    </fieldset>
  );
}

interface TimeProps {
  id: string;
  label: string;
  path: string;
  onChange(minute: unknown): void;
}

/** Keeps an emptied field empty, so that the schema can report it. */
function TimeOfDay({ id, label, path, onChange }: TimeProps) {
  const { value, problem } = useField(path);
  return (
    <Field id={id} label={label} problem={problem}>
      <input
        {...controlProps({ id, problem })}
        type="time"
        value={typeof value === 'number' ? timeOfMinute(value) : ''}
        onChange={({ currentTarget }) => {
          const [hour, minute] = currentTarget.value.split(':').map(Number);
          onChange(minute === undefined ? '' : hour! * 60 + minute);
        }}
      />
    </Field>
  );
}

const timeOfMinute = (minute: number) =>
  [Math.floor(minute / 60) % 24, minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
