import type { Leg } from '../../shared/call/call.ts';
import type { Language } from '../words/language.ts';
import { plainText } from './plain-text.ts';
import { clock } from './say.ts';

const shownLegs = 12;

/** The callflow: a table, and beside its rows the way of the call as a line from channel to channel. */
export function Callflow({ legs, language: { words } }: { legs: readonly Leg[]; language: Language }) {
  const shown = legs.slice(0, shownLegs);
  const starts = startsOf(shown);
  const longest = Math.max(...starts);
  // In em, as in the style sheet: a row is 2 high, two of them stand above the first leg, and the picture is 3.4 wide.
  const dots = starts.map((start, row) => [
    0.6 + 2.2 * (longest ? start / longest : row / starts.length),
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
        <caption>{words.flow}</caption>
        <thead>
          <tr>
            {[words.after, words.who, words.state].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((leg, row) => (
            <tr key={leg.id}>
              <td>{longest > 0 && clock(starts[row])}</td>
              {/* The channel's own party: what it dialled says less than who it is. */}
              <td>
                <bdi>
                  {plainText(
                    leg.callerName || leg.callerNumber || leg.connectedNumber || leg.exten || leg.channel,
                  )}
                </bdi>
              </td>
              <td>
                <bdi>{plainText(leg.state)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/**
 * Seconds after the first channel. Asterisk writes the second of its birth into a channel's id; where one of them has no such
 * id, or they are a day apart, nothing is said of time: all are 0.
 */
function startsOf(legs: readonly Leg[]): number[] {
  const births = legs.map(({ id }) => Number(/(\d{9,11})\.\d+$/.exec(id)?.[1]));
  const starts = births.map((birth) => birth - Math.min(...births));
  return starts.every((start) => start < 86_400) ? starts : starts.map(() => 0);
}
