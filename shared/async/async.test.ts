import { describe, expect, it } from 'vitest';
import { coalesce } from './coalesce.ts';
import { serializer } from './serialize.ts';

describe('serializer', () => {
  it('runs one function at a time, in the order of the calls', async () => {
    const serialize = serializer();
    const events: string[] = [];
    const work = (name: string) => async () => {
      events.push(`${name} starts`);
      await Promise.resolve();
      events.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all([serialize(work('a')), serialize(work('b'))])).toEqual(['a', 'b']);
    expect(events).toEqual(['a starts', 'a ends', 'b starts', 'b ends']);
  });

  it('rejects only for the caller whose function failed', async () => {
    const serialize = serializer();
    const failed = serialize(() => Promise.reject(new Error('first')));
    const next = serialize(async () => 'second');
    await expect(failed).rejects.toThrow('first');
    expect(await next).toBe('second');
  });
});

describe('coalesce', () => {
  it('runs once more for any number of calls during a run', async () => {
    const releases: (() => void)[] = [];
    const run = coalesce(() => new Promise<void>((resolve) => releases.push(resolve)));
    const all = [run(), run(), run()];
    expect(releases).toHaveLength(1);
    releases[0]!();
    await expect.poll(() => releases.length).toBe(2);
    releases[1]!();
    await Promise.all(all);
    expect(releases).toHaveLength(2);
  });

  it('runs again after a rejection', async () => {
    let runs = 0;
    const run = coalesce(async () => {
      runs += 1;
      if (runs === 1) throw new Error('once');
    });
    await expect(run()).rejects.toThrow('once');
    await run();
    expect(runs).toBe(2);
  });

  it('loses no call at the very end of a run', async () => {
    for (let steps = 0; steps < 10; steps++) {
      let runs = 0;
      const run = coalesce(async () => {
        runs += 1;
      });
      void run();
      for (let step = 0; step < steps; step++) await Promise.resolve();
      await run();
      expect(runs).toBe(2);
    }
  });
});
