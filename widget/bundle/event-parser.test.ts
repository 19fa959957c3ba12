import { createParser as createReferenceParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createParser, type ParsedEvent } from './event-parser.ts';

describe('createParser', () => {
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
      ':cursor e-1',
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

  it('reports the same as eventsource-parser for any stream in any chunks', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(60), { maxLength: 6 }), (whole, cuts) => {
        const [reported, expected] = [createParser, createReferenceParser].map((create) => {
          const events: (ParsedEvent | string)[] = [];
          const parser = create({
            onEvent: ({ event, id, data }) => void events.push({ event, id, data }),
            onComment: (comment) => void events.push(comment),
          });
          let at = 0;
          for (const cut of [...cuts].sort((a, b) => a - b)) {
            if (cut > at) parser.feed(whole.slice(at, cut));
            at = Math.max(at, cut);
          }
          parser.feed(whole.slice(at));
          return events;
        });
        expect(reported).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });
});
