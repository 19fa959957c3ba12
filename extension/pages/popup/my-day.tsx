import { durationInWords } from '../../format.ts';
import type { DayView as Day } from '../../messages/wrap-up.ts';
import { languageTag, text } from '../../text.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { tryAgainMs, useReply, useVisibleInterval } from '../parts/use-reply.ts';
import { outcomeLabel } from '../parts/wrap-up-form.ts';

/** The agent's own calls of today in figures. */
export function MyDay() {
  const [day, , reload] = useReply('page.myDay', {}, ['calls', 'settings']);
  const isOffline = day.state === 'ready' && day.value.isOffline === true;
  useVisibleInterval(isOffline && tryAgainMs, reload);
  return (
    <section class="card" id="my-day" aria-labelledby="my-day-title">
      <h2 id="my-day-title">{text('myDay_title')}</h2>
      {day.state === 'loading' && <p class="quiet">{text('page_loading')}</p>}
      {day.state === 'error' && <ErrorNotice error={day.error} />}
      {day.state === 'ready' && <DayFigures day={day.value} />}
    </section>
  );
}

function DayFigures({ day }: { day: Day }) {
  const { calls, answered, talkSeconds, callbacks, withoutOutcome, isOffline } = day;
  const outcomes = [
    ...day.outcomes.map(({ outcome, count }) => [outcomeLabel(outcome, languageTag()), count] as const),
    ...(withoutOutcome > 0 && day.outcomes.length > 0
      ? [[text('myDay_withoutOutcome'), withoutOutcome] as const]
      : []),
  ];
  return (
    <>
      {isOffline && <p class="notice">{text('myDay_offline')}</p>}
      {calls === 0 && !callbacks ? (
        <p class="quiet empty">{text('myDay_empty')}</p>
      ) : (
        <dl class="figures">
          <Figure name={text('myDay_calls')} value={calls} />
          <Figure name={text('myDay_answered')} value={answered} />
          <Figure name={text('myDay_talkTime')} value={durationInWords(talkSeconds)} />
          {callbacks !== undefined && <Figure name={text('callbacks_title')} value={callbacks} />}
        </dl>
      )}
      {outcomes.length > 0 && (
        <ul class="outcome-counts">
          {outcomes.map(([label, count]) => (
            <li key={label}>
              <span>{label}</span> <strong>{count}</strong>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const Figure = ({ name, value }: { name: string; value: string | number }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
