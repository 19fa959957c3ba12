import type { Leg } from '../../shared/call/call.ts';
import type { WidgetLanguage } from '../texts.ts';
import { formatDuration, sanitizeText } from './format.ts';

const maxShownLegs = 12;

/** The call path: a table, and a line beside its rows from channel to channel. */
export function Callflow({ legs, language: { texts } }: { legs: readonly Leg[]; language: WidgetLanguage }) {
  const shown = legs.slice(0, maxShownLegs);
  const starts = startsOf(shown);
  const longest = Math.max(...starts);
  // The column of times would be empty with one channel, or if the channels' ids have no times.
  const hasTimes = longest > 0;
  // In em, as in the style sheet. A row is 2 high, two rows are above the first leg, and the picture is 3.4 wide.
  const dots = starts.map((start, row) => [
    0.6 + 2.2 * (hasTimes ? start / longest : row / starts.length),
    2 * row + 5,
  ]);
  return (
    <div part="callflow">
      <svg aria-hidden="true" viewBox={`0 0 3.4 ${2 * starts.length + 4}`}>
        <path d={`M${dots.map(([x, y], row) => (row ? `V${y}H${x}` : `${x} ${y}`)).join('')}`} />
        {dots.map(([x, y]) => (
          <circle key={y} cx={x} cy={y} r=".3" />
        ))}
      </svg>
      <table>
        <caption>{texts.flow}</caption>
        <thead>
          <tr>
            {[hasTimes && texts.after, texts.who, texts.state].map(
              (name) =>
                name && (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ),
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((leg, row) => (
            <tr key={leg.id}>
              {hasTimes && <td>{formatDuration(starts[row])}</td>}
              {/* Prefers the channel's own party to the number that it dialled. */}
              <td>
                <bdi>
                  {sanitizeText(
                    leg.callerName || leg.callerNumber || leg.connectedNumber || leg.exten || leg.channel,
                  )}
                </bdi>
              </td>
              <td>
                <bdi>{stateWords(leg.state, texts) ?? sanitizeText(leg.state)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Texts for Asterisk's channel states that agents often see. A rarer state is shown unchanged. */
const stateWords = (state: string | undefined, texts: WidgetLanguage['texts']): string | undefined =>
  ({ Up: texts.legUp, Ring: texts.legRinging, Ringing: texts.legRinging, Busy: texts.calleeBusy })[
    state ?? ''
  ];

/**
 * When each channel started, in seconds after the first one. Asterisk begins a channel's id with the Unix time. All are
 * 0 if an id has no time, or if the times differ by a day.
 */
function startsOf(legs: readonly Leg[]): number[] {
  const created = legs.map(({ id }) => Number(/(\d{9,11})\.\d+$/.exec(id)?.[1]));
  const starts = created.map((each) => each - Math.min(...created));
  return starts.every((start) => start < 86_400) ? starts : starts.map(() => 0);
}
