import { describe, expect, it } from 'vitest';
import { coalesce } from './coalesce.ts';
import { remember } from './remember.ts';
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

describe('remember', () => {
  it('loads once until it is forgotten', async () => {
    let loads = 0;
    const { read, forget } = remember(async () => (loads += 1));
    expect(await Promise.all([read(), read()])).toEqual([1, 1]);
    forget();
    expect(await read()).toBe(2);
  });

  it('loads again after a failure, also one that ends after it was forgotten', async () => {
    let fail = () => {};
    const slow = new Promise<string>((_, reject) => (fail = () => reject(new Error('first'))));
    const loads = [slow, Promise.resolve('second'), Promise.resolve('third')];
    const { read, forget } = remember(() => loads.shift()!);
    const first = read();
    forget();
    expect(await read()).toBe('second');
    fail();
    await expect(first).rejects.toThrow('first');
    expect(await read()).toBe('second');

    const answers = [Promise.reject(new Error('down')), Promise.resolve('up')];
    const failing = remember(() => answers.shift()!);
    await expect(failing.read()).rejects.toThrow('down');
    expect(await failing.read()).toBe('up');
  });
});
