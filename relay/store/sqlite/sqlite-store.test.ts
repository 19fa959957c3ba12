import { readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { clientIntent } from '../../../testing/relay/client-intent.ts';
import { forgetNumber } from '../../../testing/relay/forget-number.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import { until } from '../../../testing/until.ts';
import { makeApiKey } from '../../access/api-key.ts';
import type { Store } from '../store.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folder = await temporaryFolder();
afterAll(folder.remove);

describe('a SQLite store', () => {
  it('keeps its contents with its epoch when the file is opened again', async () => {
    const path = folder.file('again.db');
    const first = await openSqliteStore({ path });
    await first.calls.place(clientIntent('1105', { to: '1' }));
    const { epoch } = first;
    const { head } = await first.calls.listOpen([]);
    await first.close();
    const second = await openSqliteStore({ path });
    expect(second.epoch).toBe(epoch);
    expect((await second.calls.listOpen(['1105'])).head).toBe(head);
    expect((await second.calls.listOpen(['1105'])).events).toHaveLength(1);
    await second.close();
  });

  it('refuses a file that another version of the relay made', async () => {
    const path = folder.file('old.db');
    const old = new DatabaseSync(path);
    old.exec('PRAGMA user_version = 1');
    old.close();
    await expect(openSqliteStore({ path })).rejects.toThrow(/old\.db: made by another version/);
  });

  it('never reuses a seq, after the newest calls were forgotten or while two relays overlap', async () => {
    const path = folder.file('numbers.db');
    const [leaving, coming] = [await openSqliteStore({ path }), await openSqliteStore({ path })];
    for (const store of [leaving, coming, leaving])
      await store.calls.place(clientIntent('1105', { to: '1' }));
    expect((await leaving.calls.eventsAfter(['1105'], 0, 10))!.events.map(({ seq }) => seq)).toEqual([
      1, 2, 3,
    ]);
    expect(await forgetNumber(coming, '1')).toBe(3);
    await Promise.all([leaving.close(), coming.close()]);
    const next = await openSqliteStore({ path });
    await next.calls.place(clientIntent('1105', { to: '1' }));
    expect((await next.calls.listOpen(['1105'])).events.map(({ seq }) => seq)).toEqual([4]);
    await next.close();
  });

  it('deletes the traces of a number step by step', async () => {
    const path = folder.file('traces.db');
    const store = await openSqliteStore({ path });
    const other = { at: '2026-11-21T10:00:00.000Z', action: 'doNotCall.add', by: 'agent-1' } as const;
    const about = Array.from({ length: 10 }, (_, n) => (n % 2 ? '+5548999990001' : '+5548999990002'));
    await store.rules.record(about.map((number) => ({ ...other, about: number })));
    const cursors: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      cursors.push(cursor);
      cursor = await store.maintenance.deleteTraces(['5548999990001'], cursor, 2);
    }
    expect(new Set(cursors).size).toBe(cursors.length);
    expect(cursors.length).toBeGreaterThan(about.length / 2);
    const { records } = await store.rules.audit('1970-01-01T00:00:00Z', 100);
    expect(records.map((record) => record.about)).toEqual(about.filter((_, n) => n % 2 === 0));
    await store.close();
  });

  it('leaves no copy of a forgotten number where rows moved between pages', async () => {
    const path = folder.file('moved.db');
    const store = await openSqliteStore({ path });
    const intents = Array.from({ length: 200 }, (_, n) =>
      clientIntent('1105', { to: n % 2 ? '554899998888' : '551140028922' }),
    );
    for (const intent of intents) await store.calls.place(intent);
    for (const [n, { call }] of intents.entries()) {
      const details = { audioFile: 'x'.repeat((n * 711) % 2500) };
      await store.calls.apply({
        callId: call.id,
        fact: { kind: 'hungUp', at: '', details },
        now: Date.now(),
      });
    }
    expect(await forgetNumber(store, '554899998888')).toBe(100);
    for (const file of [path, `${path}-wal`]) expect(readFileSync(file).includes('4899998888')).toBe(false);
    await store.close();
  });

  it('notices what another process changed', async () => {
    const path = folder.file('beside.db');
    const [relay, commandLine] = [await openSqliteStore({ path }), await openSqliteStore({ path })];
    const changed = new Promise<void>((resolve) => relay.onChanged(resolve));
    const { stored } = makeApiKey({ kind: 'agent', name: '', origins: [], callers: ['1'] }, new Date());
    await commandLine.keys.add(stored);
    await changed;
    expect(await relay.keys.list()).toEqual([stored]);
    await commandLine.close();
    await relay.close();
  });

  it('publishes the events of another process, each once, in order with its own', async () => {
    const path = folder.file('two-writers.db');
    const [relay, commandLine] = [await openSqliteStore({ path }), await openSqliteStore({ path })];
    const published: number[] = [];
    relay.onEvents((events) => void published.push(...events.map(({ seq }) => seq)));
    const place = async (store: Store) => store.calls.place(clientIntent('1105'));
    await place(relay);
    await place(commandLine);
    await place(commandLine);
    await place(relay);
    expect(published).toEqual([1, 2, 3, 4]);
    await place(commandLine);
    await relay.calls.listOpen([]);
    expect(published).toEqual([1, 2, 3, 4, 5]);
    await place(commandLine);
    // Without any operation of the relay's own.
    await until(() => published.includes(6), 'the event of the other process');
    expect(published).toEqual([1, 2, 3, 4, 5, 6]);
    await commandLine.close();
    await relay.close();
  });

  it('keeps no part of a batch when it is full, rejects, then continues when there is room', async () => {
    const path = folder.file('full.db');
    const store = await openSqliteStore({ path, maxMegabytes: 1 });
    const placed: string[] = [];
    const refused: Error[] = [];
    // Long enough that some batch meets the end of the space.
    for (let round = 0; refused.length === 0 && round < 200; round++) {
      const wanted = Array.from({ length: 20 }, () => clientIntent('1105', { to: '9'.repeat(32) }));
      const results = await Promise.allSettled(wanted.map((each) => store.calls.place(each)));
      results.forEach((result, index) => {
        if (result.status === 'fulfilled') placed.push(wanted[index]!.call.id);
        else refused.push(result.reason as Error);
      });
    }
    expect(refused[0]).toMatchObject({ name: 'Error', message: expect.stringMatching(/full/i) });
    const kept = [];
    for (let before: string | undefined, more = true; more; more = before !== undefined) {
      const page = (await store.calls.history(['1105'], 200, before))!;
      kept.push(...page.calls.map(({ id }) => id));
      before = page.next;
    }
    expect(kept.sort()).toEqual(placed.sort());
    // One event a call so far: what was refused has no number.
    expect((await store.calls.listOpen(['1105'])).head).toBe(placed.length);

    const hour = Date.now() + 3_600_000;
    await store.maintenance.prune({
      callsBefore: hour,
      eventsBefore: hour,
      now: hour,
      limit: 100_000,
    });
    expect(await store.calls.place(clientIntent('1105', { to: '1' }))).toEqual({ kind: 'placed' });
    await store.close();
  });

  it('loses, repeats or reorders no event while batches of every size overlap', async () => {
    const path = folder.file('busy.db');
    const store = await openSqliteStore({ path });
    const published: number[] = [];
    store.onEvents((events) => published.push(...events.map(({ seq }) => seq)));
    let placed = 0;
    const place = async () => {
      placed += 1;
      expect(await store.calls.place(clientIntent('1105', { to: '1' }))).toEqual({ kind: 'placed' });
    };
    const many = () => Promise.all(Array.from({ length: 10 }, place));
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 40; n++) void (n % 10 === 0 ? many() : place());
      await place();
      await store.calls.listOpen(['1105']);
    }
    await many();
    const sequence = Array.from({ length: placed }, (_, index) => index + 1);
    expect(published).toEqual(sequence);
    const kept = (await store.calls.eventsAfter(['1105'], 0, placed + 1))!;
    expect(kept.events.map(({ seq }) => seq)).toEqual(sequence);
    expect(kept.head).toBe(placed);

    const changed = new Promise<void>((resolve) => store.onChanged(resolve));
    const beside = await openSqliteStore({ path });
    await beside.calls.place(clientIntent('1105', { to: '1' }));
    await changed;
    await Promise.all([place(), store.close(), beside.close()]);
    await expect(store.calls.listOpen([])).rejects.toThrow('closed');
  });

  it('is readable by its owner alone, since it holds numbers with recordings', async () => {
    const path = folder.file('private.db');
    const store = await openSqliteStore({ path });
    await store.maintenance.check();
    for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o077).toBe(0);
    await store.close();
  });

  it('names the file that it could not open', async () => {
    await expect(openSqliteStore({ path: folder.path })).rejects.toThrow(folder.path);
  });
});
