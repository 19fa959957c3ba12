import type { Asynchronous, KeyOperations, StoredKey } from '../store.ts';
import { text } from './connection.ts';
import type { RedisSession } from './redis-session.ts';
import { keysScript, root } from './scripts.ts';

export class RedisKeys implements Asynchronous<KeyOperations> {
  constructor(private readonly session: RedisSession) {}

  async add(key: StoredKey): Promise<void> {
    const { writer } = this.session;
    await writer.send('HSETNX', `${root}keys`, key.id, JSON.stringify(key));
    await writer.send('HSET', `${root}key-hashes`, key.hash, key.id);
    await this.session.announceChange();
  }

  async list(): Promise<StoredKey[]> {
    // A poll in progress may have found a loss that it has not reported yet.
    await this.session.poll();
    const [, ...values] = await this.session.write(keysScript);
    const keys = values.map((value) => JSON.parse(text(value)) as StoredKey);
    const order = ({ createdAt, id }: StoredKey) => `${createdAt} ${id}`;
    return keys.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  }

  async findByHash(hash: string): Promise<StoredKey | undefined> {
    const { reader } = this.session;
    const id = await reader.send('HGET', `${root}key-hashes`, hash);
    const value = id === null ? null : await reader.send('HGET', `${root}keys`, text(id));
    return value === null ? undefined : (JSON.parse(text(value)) as StoredKey);
  }

  async revoke(id: string, at: string): Promise<boolean> {
    const { writer } = this.session;
    const value = await writer.send('HGET', `${root}keys`, id);
    if (value === null) return false;
    const key = JSON.parse(text(value)) as StoredKey;
    if (key.revokedAt !== undefined) return false;
    await writer.send('HSET', `${root}keys`, id, JSON.stringify({ ...key, revokedAt: at }));
    await this.session.announceChange();
    return true;
  }
}
