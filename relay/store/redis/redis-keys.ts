import type { Asynchronous } from '../store.ts';
import type { KeyOperations, StoredKey } from '../stored-key.ts';
import { pairs, toText } from './connection.ts';
import type { RedisSession } from './redis-session.ts';
import { changeKeyScript, root } from './script-parts.ts';
import { keysScript } from './scripts.ts';

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
    const used = new Map(pairs(await this.session.reader.send('HGETALL', `${root}key-uses`)));
    const keys = values.map((value): StoredKey => {
      const key = JSON.parse(toText(value)) as StoredKey;
      const lastUsedAt = used.get(key.id);
      return lastUsedAt === undefined ? key : { ...key, lastUsedAt };
    });
    const order = ({ createdAt, id }: StoredKey) => `${createdAt} ${id}`;
    return keys.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  }

  async findByHash(hash: string): Promise<StoredKey | undefined> {
    const { reader } = this.session;
    const id = await reader.send('HGET', `${root}key-hashes`, hash);
    const value = id === null ? null : await reader.send('HGET', `${root}keys`, toText(id));
    return value === null ? undefined : (JSON.parse(toText(value)) as StoredKey);
  }

  revoke(id: string, at: string): Promise<boolean> {
    return this.change(id, (key) => ({ ...key, revokedAt: at }));
  }

  expire(id: string, at: string): Promise<boolean> {
    return this.change(id, (key) => ({
      ...key,
      expiresAt: key.expiresAt && key.expiresAt < at ? key.expiresAt : at,
    }));
  }

  async markUsed(uses: readonly { id: string; at: string }[]): Promise<void> {
    if (uses.length === 0) return;
    const fields = uses.flatMap(({ id, at }) => [id, at]);
    await this.session.writer.send('HSET', `${root}key-uses`, ...fields);
  }

  /** @returns false where no active key has the id. */
  private async change(id: string, change: (key: StoredKey) => StoredKey): Promise<boolean> {
    const { session } = this;
    for (let isWritten = false; !isWritten; ) {
      const value = await session.writer.send('HGET', `${root}keys`, id);
      if (value === null) return false;
      const known = toText(value);
      const key = JSON.parse(known) as StoredKey;
      if (key.revokedAt !== undefined) return false;
      const answer = await session.write(changeKeyScript, id, known, JSON.stringify(change(key)));
      isWritten = answer[1] === 1;
    }
    await session.announceChange();
    return true;
  }
}
