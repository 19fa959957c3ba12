import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DirectoryIndex } from './index/directory-index.ts';
import { openSqliteIndex } from './index/sqlite-index.ts';
import { type PullEnd, type PulledEntry, SourceError } from './sources/source.ts';
import { type SyncOptions, syncSource } from './sync.ts';

let index: DirectoryIndex;
let forgotten: Set<string>;
const readForgotten = async () => {
  const known = new Set(forgotten);
  return { has: (number: string) => known.has(number), digest: [...known].join() };
};
beforeEach(() => {
  index = openSqliteIndex(':memory:');
  forgotten = new Set();
});
afterEach(() => index.close());

const person = (uid: string, name = uid, number = '4833224455'): PulledEntry => ({
  uid,
  written: { name, numbers: [{ text: number }] },
});
const people = (count: number) => Array.from({ length: count }, (_, n) => person(`p${n}`));
const complete: PullEnd = { isComplete: true };

interface Pulled {
  entries: readonly PulledEntry[];
  end?: PullEnd;
  /** Of the same pull, in a further answer. */
  later?: readonly PulledEntry[];
  onPull?: (token: string | undefined) => void;
  name?: string;
}

function sync(
  { entries, later, end = complete, onPull, name = 'book' }: Pulled,
  options: Partial<SyncOptions> = {},
) {
  const source = {
    async *pull({ token }: { token?: string | undefined }) {
      onPull?.(token);
      yield entries;
      if (later) yield later;
      return end;
    },
    check: async () => '',
  };
  const rules = { country: 'BR', extensions: [] } as const;
  return syncSource(
    { name, source, rules, index, readForgotten },
    { signal: new AbortController().signal, ...options },
  );
}

const namesOf = async (number: string, ...sources: string[]) => {
  const [found] = await index.find([number], sources.length > 0 ? sources : ['book']);
  return found!.people.map(({ name }) => name);
};

describe('syncSource', () => {
  it('keeps an entry that is gone in one answer, then written in a later one', async () => {
    await sync({ entries: [person('a', 'Ana'), person('b', 'Rui')] });
    const part = { isComplete: false };
    const gone = [{ uid: 'a', isGone: true }] as const;
    await sync({ entries: gone, later: [person('a', 'Ana Prado')], end: part });
    expect((await namesOf('+554833224455')).sort()).toEqual(['Ana Prado', 'Rui']);
    await sync({ entries: [person('a', 'Ana')], later: gone, end: part });
    expect(await namesOf('+554833224455')).toEqual(['Rui']);
  });

  it.each([
    ['with the same text', person('a', 'Ana')],
    ['as unchanged', { uid: 'a', isUnchanged: true } as const],
  ])('keeps an entry that is gone in one answer, then comes back %s', async (_how, back) => {
    const gone = [{ uid: 'a', isGone: true }] as const;
    await sync({ entries: [person('a', 'Ana'), person('b', 'Rui')] });
    await sync({ entries: gone, later: [back], end: { isComplete: false } });
    expect((await namesOf('+554833224455')).sort()).toEqual(['Ana', 'Rui']);
  });

  it('removes an entry that is gone in a later answer of a whole reading', async () => {
    const gone = [{ uid: 'a', isGone: true }] as const;
    await sync({ entries: [person('a', 'Ana'), person('b', 'Rui')], later: gone });
    expect(await namesOf('+554833224455')).toEqual(['Rui']);
  });

  it('adds, changes or removes what the source added, changed or removed', async () => {
    await sync({ entries: [person('a', 'Ana'), person('b', 'Rui'), person('c', 'Eva')] });
    const result = await sync({ entries: [person('a', 'Ana'), person('b', 'Rui Costa')] });
    expect(result).toMatchObject({ changed: 1, removed: 1, entries: 2 });
    expect((await namesOf('+554833224455')).sort()).toEqual(['Ana', 'Rui Costa']);
    expect(await index.search(['eva'], ['book'], 10)).toEqual([]);
  });

  it('counts no removal where the source names one who was never known', async () => {
    await sync({ entries: [person('a', 'Ana'), person('b', 'Rui')] });
    const before = await index.epoch();
    const entries = [{ uid: 'never', isGone: true } as const];
    expect(await sync({ entries, end: { isComplete: false } })).toMatchObject({ removed: 0, entries: 2 });
    expect(await index.epoch()).toBe(before);
  });

  it('leaves the epoch where nothing changed', async () => {
    await sync({ entries: people(3) });
    const epoch = await index.epoch();
    await sync({ entries: people(3) });
    expect(await index.epoch()).toBe(epoch);
    await sync({ entries: people(2) });
    expect(await index.epoch()).not.toBe(epoch);
  });

  it('removes only what a part of the source names, then goes on at its token', async () => {
    await sync({ entries: people(3), end: { isComplete: true, token: 't1' } });
    let token: string | undefined;
    const entries = [{ uid: 'p1', isGone: true } as const, person('p9')];
    await sync({ entries, end: { isComplete: false, token: 't2' }, onPull: (from) => (token = from) });
    expect(token).toBe('t1');
    expect(await namesOf('+554833224455')).toEqual(['p0', 'p2', 'p9']);
  });

  it.each([0, 9, 10])(
    'keeps 1,000 entries where the source has %s left, until they are accepted',
    async (left) => {
      await sync({ entries: people(1000) });
      const kept = await sync({ entries: people(left) });
      expect(kept).toMatchObject({ removed: 0, entries: 1000 });
      expect(kept!.problem).toContain(`${left} of 1000 entries left; what was known is kept`);
      expect((await index.sources()).get('book')?.problem).toBe(kept!.problem);
      expect(await sync({ entries: people(left) }, { acceptsFewer: true })).toMatchObject({ entries: left });
      expect((await index.sources()).get('book')?.problem).toBeUndefined();
    },
  );

  it('keeps what is known where the source fails half way, with its reason', async () => {
    await sync({ entries: people(3) });
    const source = {
      async *pull() {
        yield [person('p0', 'Ana')];
        throw new SourceError('it did not answer');
      },
      check: async () => '',
    };
    const result = await syncSource(
      { name: 'book', source, rules: { country: 'BR', extensions: [] }, index, readForgotten },
      { signal: new AbortController().signal },
    );
    expect(result).toMatchObject({ problem: 'it did not answer', changed: 1, removed: 0 });
    expect(await namesOf('+554833224455')).toEqual(['p1', 'p2', 'Ana']);
  });

  it('ends the pull where the index fails', async () => {
    let isEnded = false;
    const source = {
      async *pull() {
        try {
          yield people(1);
          return complete;
        } finally {
          isEnded = true;
        }
      },
      check: async () => '',
    };
    index.put = () => Promise.reject(new Error('disk full'));
    const target = {
      name: 'book',
      source,
      rules: { country: 'BR', extensions: [] },
      index,
      readForgotten,
    } as const;
    await expect(syncSource(target, { signal: new AbortController().signal })).rejects.toThrow('disk full');
    expect(isEnded).toBe(true);
  });

  it('keeps two sources that disagree apart, the first by name first', async () => {
    await sync({ entries: [person('1', 'Ana Prado')], name: 'b-crm' });
    await sync({ entries: [person('1', 'Ana P.')], name: 'a-book' });
    expect(await namesOf('+554833224455', 'a-book', 'b-crm')).toEqual(['Ana P.', 'Ana Prado']);
    await sync({ entries: [person('1', 'Rui')], name: 'a-book' });
    expect(await namesOf('+554833224455', 'a-book', 'b-crm')).toEqual(['Rui', 'Ana Prado']);
  });

  it('drops forgotten numbers with the entries that have no other', async () => {
    const both = { uid: 'a', written: { name: 'Ana', numbers: [{ text: '4833224455' }, { text: '1105' }] } };
    await sync({ entries: [both, person('b')] });
    forgotten.add('+554833224455');
    await sync({ entries: [both, person('b')] });
    expect(await namesOf('+554833224455')).toEqual([]);
    expect(await namesOf('1105')).toEqual(['Ana']);
    expect(await index.countOf('book')).toBe(1);
  });

  it('reads everything again where another number was forgotten instead', async () => {
    const entries = [person('a', 'Ana', '(48) 3322-4455 / (48) 3322-7788')];
    forgotten.add('+554833224455');
    await sync({ entries });
    forgotten = new Set(['1199']);
    await sync({ entries });
    expect(await namesOf('+554833224455')).toEqual(['Ana']);
  });

  it('reads everything again where the rules of reading changed', async () => {
    await sync({
      entries: [person('a', 'Ana', '3322-4455'), person('b')],
      end: { isComplete: true, token: 't1' },
    });
    expect(await namesOf('+554833224455')).toEqual(['b']);
    const tokens: (string | undefined)[] = [];
    const source = {
      async *pull({ token }: { token?: string | undefined }) {
        tokens.push(token);
        yield [person('a', 'Ana', '3322-4455'), person('b')];
        return { isComplete: true };
      },
      check: async () => '',
    };
    const rules = { country: 'BR', areaCode: '48', extensions: [] } as const;
    await syncSource(
      { name: 'book', source, rules, index, readForgotten },
      { signal: new AbortController().signal },
    );
    expect(tokens).toEqual([undefined]);
    expect((await namesOf('+554833224455')).sort()).toEqual(['Ana', 'b']);
  });

  it('leaves a source to the process that syncs it', async () => {
    await index.claim('book', 'other', 60_000);
    expect(await sync({ entries: people(1) })).toBeUndefined();
    await index.release('book', 'other');
    expect(await sync({ entries: people(1) })).toMatchObject({ entries: 1 });
  });

  it('ends where another process took its source over, which keeps the claim', async () => {
    const takeOver = async () => {
      const claim = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 600_000);
      await index.claim('book', 'other', 600_000);
      claim.mockRestore();
      return people(2);
    };
    const source = {
      async *pull() {
        yield await takeOver();
        return complete;
      },
      check: async () => '',
    };
    const rules = { country: 'BR', extensions: [] } as const;
    const target = { name: 'book', source, rules, index, readForgotten };
    const result = await syncSource(target, { signal: new AbortController().signal });
    expect(result!.problem).toBe('it took too long, and another process reads it now');
    expect(await index.sources()).toEqual(new Map([['book', {}]]));
    expect(await index.claim('book', 'third', 60_000)).toBe(false);
  });
});
