import { useEffect, useState } from 'preact/hooks';
import type { Call } from '../../shared/call/call.ts';
import { type Outcome, outcomeOf } from '../../shared/call/outcome.ts';
import { ago, secondsOf } from './live.ts';

/** What happens at Harbor, over and over; the newest stands first. */
const happenings = [
  { who: 'Thiago Neves', did: 'asked to be called back at (81) 9 9712-3306' },
  { who: 'Order desk', did: 'shipped ORD-2026-110811, parcel 00340434161094042557' },
  { who: 'Renata Okamoto', did: 'changed her number to +55 41 99122-8040' },
  { who: 'Billing', did: 'booked R$ 3.150,90 on 20/11/2026' },
  { who: 'Missed call', did: 'from +49 40 66969-421, 14:32' },
  { who: 'Oliver Bennett', did: 'opened the offer 2026-0417-33' },
  { who: 'Sabine Krüger', did: 'left a message: please ring +49 30 23125-118 before 12.12.2026' },
  { who: 'Daniel Reyes', did: 'added the dispatch line +1 512 555 0125' },
] as const;

const shown = 5;
const before = happenings.length * 1000;

/** An answered call shows its talk time instead. */
const sentences: Partial<Record<Outcome, string>> = {
  ended: 'talk time not known',
  busy: 'busy',
  noAnswer: 'no answer',
  declined: 'declined',
};

interface CallEnd {
  id: string;
  beat: number;
  text: string;
}

/** The feed, with the ended calls that the widget reports to the page. */
export function ActivityFeed({ beat, still }: { beat: number; still: boolean }) {
  const [ends, setEnds] = useState<CallEnd[]>([]);
  useEffect(() => {
    if (still) return;
    const note = (event: Event) => {
      const call = (event as CustomEvent<Call>).detail;
      if (call.state !== 'disconnected') return;
      const text = sentences[outcomeOf(call)] ?? `talked for ${call.talkSeconds} s`;
      setEnds((all) =>
        all.some(({ id }) => id === call.id) ? all : [{ id: call.id, beat, text }, ...all].slice(0, 3),
      );
    };
    addEventListener('dialmark:call', note);
    return () => removeEventListener('dialmark:call', note);
  }, [still, beat]);

  // One new entry every second beat.
  const newest = Math.floor(beat / 2);
  const entries = Array.from({ length: shown }, (_, index) => {
    const number = before + newest - index;
    return { key: String(number), beat: (newest - index) * 2, ...happenings[number % happenings.length]! };
  });
  return (
    <section class="panel feed" aria-labelledby="activity">
      <h2 id="activity">Activity</h2>
      <ol>
        {ends.map(({ id, text, beat: at }) => (
          <li key={id} class="of-call">
            <p>
              <strong>Call ended</strong> {text}
            </p>
            <small>{ago(secondsOf(beat - at))}</small>
          </li>
        ))}
        {entries.map((entry) => (
          <li key={entry.key}>
            <p>
              <strong>{entry.who}</strong> {entry.did}
            </p>
            <small>{ago(secondsOf(beat - entry.beat))}</small>
          </li>
        ))}
      </ol>
    </section>
  );
}
