import { createParser as theirs } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Call } from '../../shared/call/call.ts';
import { createParser as ours, type ParsedEvent } from './event-parser.ts';
import { readShape } from './read-shape.ts';
import { shapeOf } from './shape-of.ts';

/** As the bundle has it: source text that the build writes. */
const shape = new Function(`return ${shapeOf(Call)}`)();

const text = fc.string({ maxLength: 8 });
const count = fc.nat(5000);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 3 });
/** A Call, or nearly one: members missing, unknown, of another type. */
const nearlyACall = fc
  .record({
    id: fc.constant('AAAAAAAAAAAAAAAAAAAAAA'),
    from: text,
    to: text,
    state: fc.constantFrom('initiating', 'callingCaller', 'disconnected', 'failed', 'unknown'),
    reason: maybe(fc.constantFrom('hangUp', 'other')),
    createdAt: text,
    talkSeconds: maybe(count),
    recordingUrl: maybe(text),
    legs: maybe(
      fc.array(fc.record({ id: text, channel: maybe(text), somethingNew: text }), { maxLength: 3 }),
    ),
    error: maybe(fc.record({ code: fc.constant('lostCall'), message: text })),
    somethingNew: maybe(fc.anything()),
    revision: count,
  })
  .chain((call) =>
    fc.oneof(
      { weight: 2, arbitrary: fc.constant<unknown>(call) },
      fc
        .tuple(fc.constantFrom(...Object.keys(call)), fc.anything())
        // Words that say why may be any text: pages keep an old widget beside a new relay.
        .filter(([name, value]) => !(name === 'reason' && typeof value === 'string'))
        .map(([name, value]) => ({ ...call, [name]: value })),
    ),
  );

describe('a Call read by its shape', () => {
  it('is what the schema reads, and refused where the schema refuses', () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: nearlyACall }, fc.anything()), (value) => {
        // Over the wire there is no undefined and no prototype.
        const json = JSON.parse(JSON.stringify(value) ?? 'null');
        const parsed = Call.safeParse(json);
        expect(readShape(shape, json)).toEqual(parsed.success ? parsed.data : undefined);
      }),
      { numRuns: 2000 },
    );
  });

  it('may have reasons that a newer relay knows', () => {
    const call = { id: 'A'.repeat(22), from: '1', to: '2', state: 'failed', createdAt: '', revision: 1 };
    expect(
      readShape(shape, { ...call, reason: 'calleeOnMoon', error: { code: 'tooFar', message: '' } }),
    ).toBeTruthy();
    expect(readShape(shape, { ...call, state: 'onMoon' })).toBeUndefined();
  });
});

describe('the lean event parser', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '',
      '',
      'event: call',
      'event:',
      'data',
      'data:',
      'data: {"a":1}',
      'data:  b',
      ': comment',
      'id: e-1',
      'retry: 1000',
      'other: x',
      'data: a:b',
    ),
    fc.string({ maxLength: 5 }).filter((each) => !/[\r\n\0]/.test(each)),
  );
  const stream = fc
    .array(fc.tuple(line, fc.constantFrom('\n', '\n', '\r\n', '\r')), { maxLength: 20 })
    .map((lines) => `${lines.map(([each, end]) => each + end).join('')}\n\n`);

  it('hears what eventsource-parser hears, however the text is cut', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(60), { maxLength: 6 }), (whole, cuts) => {
        const heard = [ours, theirs].map((create) => {
          const events: ParsedEvent[] = [];
          const parser = create({ onEvent: ({ event, id, data }) => void events.push({ event, id, data }) });
          let at = 0;
          for (const cut of [...cuts].sort((a, b) => a - b)) {
            if (cut > at) parser.feed(whole.slice(at, cut));
            at = Math.max(at, cut);
          }
          parser.feed(whole.slice(at));
          return events;
        });
        expect(heard[0]).toEqual(heard[1]);
      }),
      { numRuns: 2000 },
    );
  });
});
