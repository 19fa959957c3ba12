import { describe, expect, it } from 'vitest';
import { type Call, newCall, newCallId } from '../../shared/call/call.ts';
import { maxKeptCalls, withCall } from './call-list.ts';

const at = (minute: number, fields: Partial<Call> = {}): Call => ({
  ...newCall({ id: newCallId(), from: '1105', to: '48', now: new Date(minute * 60_000).toISOString() }),
  ...fields,
});

describe('addCall', () => {
  it('sorts calls newest first when they arrive in any order', () => {
    const calls = [at(1), at(2), at(3)];
    const known = [calls[1]!, calls[2]!, calls[0]!].reduce<readonly Call[]>(withCall, []);
    expect(known).toEqual([...calls].reverse());
  });

  it('keeps the highest revision, in the same array when nothing is new', () => {
    const call = at(1, { revision: 2 });
    const known = withCall([], call);
    expect(withCall(known, { ...call, revision: 1, state: 'unknown' })).toBe(known);
    expect(withCall(known, call)).toBe(known);
    expect(withCall(known, { ...call, revision: 3 })[0]!.revision).toBe(3);
  });

  it('keeps a limited number of calls however many arrive', () => {
    let known: readonly Call[] = [];
    for (let minute = 0; minute < 500; minute++) known = withCall(known, at(minute));
    expect(known).toHaveLength(maxKeptCalls);
    const oldest = at(-1);
    expect(withCall(known, oldest)).toBe(known);
  });
});
