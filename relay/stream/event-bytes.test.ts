import { createParser, type EventSourceMessage } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callFrame, heartbeat, opening, positionText } from './event-bytes.ts';

describe('a frame', () => {
  it('is parsed to exactly the call it was made of, whatever its text holds', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\n\ndata: x',
        '\r\nid: 7\r\n',
        '\u0000',
        '\ufeff',
        '\u2028',
        '\ud800',
        ':',
        'event: reset',
      ),
    );
    fc.assert(
      fc.property(hostile, hostile, fc.nat(), (a, b, seq) => {
        const call = { id: 'x', note: a + b };
        const events: EventSourceMessage[] = [];
        const parser = createParser({ onEvent: (event) => events.push(event) });
        const bytes = Buffer.concat([
          Buffer.from(opening),
          heartbeat,
          callFrame('e0', { seq, channel: 'a', callId: 'x', data: JSON.stringify(call) }),
          Buffer.from(positionText('e0', seq)),
        ]);
        parser.feed(bytes.toString());
        expect(events).toHaveLength(1);
        expect(events[0]).toMatchObject({ id: `e0-${seq}`, event: 'call' });
        expect(JSON.parse(events[0]!.data)).toEqual(JSON.parse(JSON.stringify(call)));
      }),
      { numRuns: 1000 },
    );
  });
});
