import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Call } from '../../shared/call/call.ts';
import { readBySchema } from './read-by-schema.ts';
import { schemaOf } from './widget-bundle.ts';

/** As in the bundle. */
const schema = JSON.parse(schemaOf(Call));

const text = fc.string({ maxLength: 8 });
const count = fc.nat(5000);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 3 });
/** A Call, or nearly one: members missing, unknown, of another type. */
const nearlyACall = fc
  .record({
    id: fc.constant('AAAAAAAAAAAAAAAAAAAAAA'),
    from: text,
    to: text,
    state: fc.constantFrom('initiating', 'callingCaller', 'connected', 'disconnected', 'failed', 'onHold'),
    reason: maybe(fc.constantFrom('hangUp', 'other', 'calleeOnMoon')),
    endedBy: maybe(fc.constantFrom('callee', 'moon')),
    canHangUp: maybe(fc.boolean()),
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
        .map(([name, value]) => ({ ...call, [name]: value })),
    ),
  );

describe('readBySchema of a Call', () => {
  it('returns what zod returns, and rejects what zod rejects', () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: nearlyACall }, fc.anything()), (value) => {
        // Over the wire there is no undefined and no prototype.
        const json = JSON.parse(JSON.stringify(value) ?? 'null');
        const parsed = Call.safeParse(json);
        expect(readBySchema(schema, json)).toEqual(parsed.success ? parsed.data : undefined);
      }),
      { numRuns: 2000 },
    );
  });

  it('reads a state, a reason and an error that only a newer relay knows', () => {
    const call = { id: 'A'.repeat(22), from: '1', to: '2', state: 'failed', createdAt: '', revision: 1 };
    const error = { code: 'tooFar', message: '' };
    expect(readBySchema(schema, { ...call, reason: 'calleeOnMoon', error })).toMatchObject({
      state: 'failed',
      reason: 'other',
      error,
    });
    expect(readBySchema(schema, { ...call, state: 'onMoon' })).toMatchObject({ state: 'callingCaller' });
    expect(readBySchema(schema, { ...call, state: 5 })).toBeUndefined();
  });
});
