/**
 * The keys in memory, so that a request costs no look-up. A revocation by another process is noticed through the store and
 * reported at once, for open streams to end.
 */
import type { Store, StoredKey } from '../store/store.ts';
import { hashKey } from './api-key.ts';

export class ApiKeyCache {
  private byHash = new Map<string, StoredKey>();
  private byId = new Map<string, StoredKey>();
  private origins = new Set<string>();
  private reading: Promise<void> | undefined;
  private next: Promise<void> | undefined;
  private puttingBack: Promise<void> | undefined;

  private constructor(
    private readonly store: Store,
    private readonly onRevoked: (keyId: string) => void,
  ) {}

  static async open(store: Store, onRevoked: (keyId: string) => void): Promise<ApiKeyCache> {
    const book = new ApiKeyCache(store, onRevoked);
    await book.reload();
    return book;
  }

  /** However often it is asked for meanwhile, one more reading follows the one under way. */
  reload(): Promise<void> {
    this.next ??= (this.reading ?? Promise.resolve())
      .catch(() => {})
      .then(() => {
        this.reading = this.next;
        this.next = undefined;
        return this.read();
      });
    return this.next;
  }

  private async read(): Promise<void> {
    const stored = await this.store.keys();
    if (this.puttingBack) {
      // What was read may lack keys that are not back yet.
      await this.puttingBack.catch(() => {});
      return this.read();
    }
    const before = this.byId;
    const active = stored.filter((key) => key.revokedAt === undefined);
    this.byHash = new Map(active.map((key) => [key.hash, key]));
    this.byId = new Map(active.map((key) => [key.id, key]));
    this.origins = new Set(active.flatMap((key) => key.origins));
    for (const id of before.keys()) if (!this.byId.has(id)) this.onRevoked(id);
  }

  /** A key made a moment ago is not in memory yet, so a miss asks the store once. */
  async find(key: string): Promise<StoredKey | undefined> {
    const hash = hashKey(key);
    const known = this.byHash.get(hash);
    if (known) return known;
    const stored = await this.store.keyByHash(hash);
    if (!stored || stored.revokedAt !== undefined) return undefined;
    this.add(stored);
    return stored;
  }

  /** A store that lost its past lost the keys too; they are still known here, and good while they are put back. */
  putBack(): Promise<void> {
    const back = this.putAllBack().finally(() => {
      if (this.puttingBack === back) this.puttingBack = undefined;
    });
    this.puttingBack = back;
    return back;
  }

  private async putAllBack(): Promise<void> {
    for (const key of this.byId.values()) await this.store.addKey(key);
  }

  /** A site whose tickets are still good. */
  site(id: string): StoredKey | undefined {
    return this.byId.get(id);
  }

  allowsOrigin(origin: string): boolean {
    return this.origins.has(origin);
  }

  private add(key: StoredKey): void {
    this.byHash.set(key.hash, key);
    this.byId.set(key.id, key);
    for (const origin of key.origins) this.origins.add(origin);
  }
}
