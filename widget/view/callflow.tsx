import type { Leg } from '../../shared/call/call.ts';
import type { WidgetLanguage } from '../texts.ts';
import { formatDuration, sanitizeText } from './format.ts';

const maxShownLegs = 12;

/** The call path: a table, and beside its rows a line from channel to channel. */
export function Callflow({ legs, language: { texts } }: { legs: readonly Leg[]; language: WidgetLanguage }) {
  const shown = legs.slice(0, maxShownLegs);
  const starts = startsOf(shown);
  const longest = Math.max(...starts);
  // With one channel, or without times in the channels' ids, the column would be empty.
  const hasTimes = longest > 0;
  // In em, as in the style sheet: a row is 2 high, two rows are above the first leg, the picture is 3.4 wide.
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
              {/* The channel's own party, rather than what it dialled. */}
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

/** Asterisk's names of the states that agents meet; a rarer one stays as it is. */
const stateWords = (state: string | undefined, texts: WidgetLanguage['texts']): string | undefined =>
  ({ Up: texts.legUp, Ring: texts.legRinging, Ringing: texts.legRinging, Busy: texts.calleeBusy })[
    state ?? ''
  ];

/**
 * Seconds after the first channel, from the Unix time with which Asterisk begins a channel's id. All are 0
 * where an id has none or they are a day apart.
 */
function startsOf(legs: readonly Leg[]): number[] {
  const created = legs.map(({ id }) => Number(/(\d{9,11})\.\d+$/.exec(id)?.[1]));
  const starts = created.map((each) => each - Math.min(...created));
  return starts.every((start) => start < 86_400) ? starts : starts.map(() => 0);
}
