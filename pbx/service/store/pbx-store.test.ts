import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, stat, writeFile } from 'node:fs/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../../testing/temporary-folder.ts';
import { newProgress } from '../calls/call-progress.ts';
import { makeToken } from '../token.ts';
import { PbxStore } from './pbx-store.ts';
import type { StoredCall } from './schema.ts';

let folder: TemporaryFolder;
let store: PbxStore;
beforeEach(async () => {
  folder = await temporaryFolder();
  store = new PbxStore(folder.file('new/pbx.db'));
});
afterEach(async () => {
  store.close();
  await folder.remove();
});

const call = (callid: string, phase: StoredCall['phase'] = 'sending', createdAt = 1): StoredCall => ({
  callid,
  tokenId: 'token',
  fingerprint: 'f',
  request: { from: '1105', to: '5511999990000' },
  createdAt,
  phase,
  progress: newProgress(callid, `originate-${callid}`),
});
const owed = (url: string) => ({ url, body: '{}', isEnd: true });

describe('PbxStore', () => {
  it('shows a call at once to a second reader of the same file', () => {
    store.addCall(call('a'), 'key');
    const other = new PbxStore(folder.file('new/pbx.db'));
    expect(other.call('a')).toEqual(call('a'));
    expect(other.callOfKey('token', 'key')?.callid).toBe('a');
    other.close();
  });

  it('keeps the first call of a key without writing the second', () => {
    expect(store.addCall(call('a'), 'key')).toBeUndefined();
    expect(store.addCall(call('b'), 'key')?.callid).toBe('a');
    expect(store.call('b')).toBeUndefined();
  });

  it('keeps the keys of two tokens apart', () => {
    store.addCall(call('a'), 'key');
    expect(store.addCall({ ...call('b'), tokenId: 'other' }, 'key')).toBeUndefined();
  });

  it('makes a file that only its owner can read, in any folder', async () => {
    const file = folder.file('pbx.db');
    const other = new PbxStore(file);
    other.addToken(makeToken('crm', 1).stored);
    for (const name of ['pbx.db', 'pbx.db-wal', 'pbx.db-shm'])
      expect((await stat(folder.file(name))).mode & 0o077).toBe(0);
    other.close();
  });

  it('writes no call once its file was replaced', async () => {
    const file = folder.file('new/pbx.db');
    await rename(file, `${file}.old`);
    await writeFile(file, '');
    expect(() => store.addCall(call('a'), undefined)).toThrow('replaced');
    expect(store.isReplaced()).toBe(true);
  });

  it('names its file where that is not a store', async () => {
    const file = folder.file('text.db');
    await writeFile(file, 'x'.repeat(5000));
    expect(() => new PbxStore(file)).toThrow(`DIALMARK_PBX_STORE: expected a store at ${file}`);
  });

  it('takes any number of calls without a key', () => {
    store.addCall(call('a'), undefined);
    expect(store.addCall(call('b'), undefined)).toBeUndefined();
  });

  it('lists as open what is sending or placed, oldest first', () => {
    for (const [index, phase] of (['ended', 'placed', 'refused', 'sending', 'unknown'] as const).entries())
      store.addCall(call(phase, phase, 10 - index), undefined);
    expect(store.openCalls().map(({ callid }) => callid)).toEqual(['sending', 'placed']);
  });

  it('writes an end together with what is owed for it, or neither', () => {
    store.addCall(call('a', 'placed'), undefined);
    const broken = { ...owed(''), url: undefined as unknown as string };
    expect(() => store.saveCall(call('a', 'ended'), [owed('http://r/1'), broken], 5)).toThrow();
    expect(store.call('a')?.phase).toBe('placed');
    expect(store.dueNotifications(9, 9)).toEqual([]);
  });

  it('offers of each call only the oldest notification that is left', () => {
    for (const callid of ['a', 'b']) {
      store.addCall(call(callid, 'placed'), undefined);
      store.saveCall(call(callid, 'ended'), [owed(`http://${callid}/1`), owed(`http://${callid}/2`)], 5);
    }
    const due = () => store.dueNotifications(9, 9).map(({ url }) => url);
    expect(due()).toEqual(['http://a/1', 'http://b/1']);
    store.postponeNotification(1, 100, 'HTTP 500');
    expect(due()).toEqual(['http://b/1']);
    store.removeNotification(3);
    expect(due()).toEqual(['http://b/2']);
    store.removeNotification(4);
    // The second of a is due, but waits for the first.
    expect(store.nextDueAt()).toBe(100);
    store.postponeNotification(1, undefined, 'given up');
    expect(due()).toEqual(['http://a/2']);
    expect(store.pendingNotifications()).toEqual({ waiting: 1, dead: 1 });
  });

  it('forgets old calls only once they are finished', () => {
    for (const [callid, phase, at] of [
      ['old', 'ended', 1],
      ['new', 'ended', 9],
      ['open', 'placed', 1],
    ] as const)
      store.addCall(call(callid, phase, at), undefined);
    expect(store.forgetBefore(5, 10)).toBe(1);
    expect(['old', 'new', 'open'].map((callid) => store.call(callid)?.callid)).toEqual([
      undefined,
      'new',
      'open',
    ]);
  });

  it('keeps an old call that names a recording where it is asked to', () => {
    const { progress } = call('recorded', 'ended');
    store.addCall(
      { ...call('recorded', 'ended'), progress: { ...progress, recordingFile: '/a.wav' } },
      undefined,
    );
    expect(store.forgetBefore(5, 10, { keepsRecorded: true })).toBe(0);
    store.forgetRecordings('recorded');
    expect(store.forgetBefore(5, 10, { keepsRecorded: true })).toBe(1);
  });

  it('forgets at most as many calls at once as it is asked to', () => {
    for (let n = 0; n < 5; n++) store.addCall(call(`old ${n}`, 'ended'), undefined);
    expect([2, 2, 2, 2].map((limit) => store.forgetBefore(5, limit))).toEqual([2, 2, 1, 0]);
  });

  it('leaves no copy of deleted calls where rows moved between pages', () => {
    const ids = Array.from({ length: 200 }, (_, n) => createHash('sha256').update(`${n}`).digest('hex'));
    for (const [n, callid] of ids.entries()) {
      const to = n % 2 ? '554899998888' : '551140028922';
      const returnurl = `http://x/${'a'.repeat((n * 7919) % 300)}`;
      store.addCall({ ...call(callid, 'ended'), request: { from: '1105', to, returnurl } }, undefined);
    }
    store.deleteCalls(ids.filter((_, n) => n % 2));
    for (const file of ['pbx.db', 'pbx.db-wal'])
      expect(readFileSync(folder.file(`new/${file}`)).includes('4899998888')).toBe(false);
  });

  it('refuses a file that another version made', () => {
    const file = folder.file('older.db');
    const older = new DatabaseSync(file);
    older.exec('CREATE TABLE call (callid TEXT)');
    older.close();
    expect(() => new PbxStore(file)).toThrow(
      /DIALMARK_PBX_STORE.*older\.db; it was made by another version of the service/,
    );
  });

  it('takes the right to read from other users where a file had it', async () => {
    const file = folder.file('readable.db');
    await writeFile(file, '', { mode: 0o644 });
    new PbxStore(file).close();
    expect((await stat(file)).mode & 0o007).toBe(0);
  });

  it('knows a token by its hash alone, until it is revoked', () => {
    const { token, stored } = makeToken('crm', 1);
    store.addToken(stored);
    expect(store.tokenId(stored.hash)).toBe(stored.id);
    expect(JSON.stringify(store.tokens())).not.toContain(token);
    expect([store.removeToken(stored.id), store.removeToken(stored.id)]).toEqual([true, false]);
    expect(store.tokenId(stored.hash)).toBeUndefined();
  });
});
