import { expect, it } from 'vitest';
import { partyOf } from './call-channels.ts';
import { newProgress } from './call-progress.ts';

it('ends where two channels are behind each other', () => {
  let reads = 0;
  const behind = new Proxy<Record<string, string>>(
    { a: 'b', b: 'a', c: 'c' },
    {
      get(channels, id: string) {
        reads += 1;
        if (reads > 100) throw new Error('the channels are read without end');
        return channels[id];
      },
    },
  );
  const progress = { ...newProgress('own', 'originate-own'), behind };
  expect(['a', 'c'].map((id) => partyOf(progress, id))).toEqual(['callee', 'callee']);
});
