/**
 * The API keys in memory, so that authentication needs no look-up. A revocation by another process arrives through the
 * store and is reported at once, so that open streams end.
 */
import { coalesce } from '../../shared/async/coalesce.ts';
import { minuteMs, secondMs } from '../../shared/durations.ts';
import { hashToken } from '../../shared/server/bearer-token.ts';
import type { Store } from '../store/store.ts';
import { isExpired, type StoredKey } from '../store/stored-key.ts';

/** The shortest time between two notes of a key's use. A key that is used all day is written some hundred times. */
const usePrecisionMs = 5 * minuteMs;
/** The pause before keys are read or restored again after a failure. A key that was revoked stays valid meanwhile. */
const retryMs = 5 * secondMs;

interface ApiKeyCacheObserver {
  /** The key was revoked, or got another end. Streams that were opened before do not know it. */
  onEndChanged(keyId: string): void;
  /** The keys could not be read again; those in memory stay until they can. */
  onReadError(error: Error): void;
}

export class ApiKeyCache {
  /** Reads the keys from the store again. If it is called meanwhile, it reads them once more. */
  readonly reload = coalesce(async () => {
    clearTimeout(this.retry);
    await this.read().then(
      () => {
        this.isFailing = false;
      },
      (error: Error) => {
        this.retryLater();
        if (!this.isFailing) this.observer.onReadError(error);
        this.isFailing = true;
      },
    );
  });
  private byHash = new Map<string, StoredKey>();
  private byId = new Map<string, StoredKey>();
  private origins = new Set<string>();
  /** Revoked keys: their calls remain. */
  private revoked: readonly StoredKey[] = [];
  /** Uses that the store does not have yet. */
  private readonly uses = new Map<string, number>();
  private readonly notedUses = new Map<string, number>();
  private restoring: Promise<void> | undefined;
  /** Whether the store lost its data, and does not have every key again. */
  private isRestoreDue = false;
  private retry: NodeJS.Timeout | undefined;
  /** Whether the keys could not be read the last time. Of a row of failures, the first is reported. */
  private isFailing = false;

  private constructor(
    private readonly store: Store,
    private readonly observer: ApiKeyCacheObserver,
  ) {}

  static async open(store: Store, observer: ApiKeyCacheObserver): Promise<ApiKeyCache> {
    const cache = new ApiKeyCache(store, observer);
    await cache.read();
    return cache;
  }

  /** A key made a moment ago is not in memory yet, so a miss asks the store once. */
  async find(key: string): Promise<StoredKey | undefined> {
    const hash = hashToken(key);
    const known = this.byHash.get(hash) ?? (await this.findStored(hash));
    if (!known || isExpired(known)) return undefined;
    this.noteUse(known.id);
    return known;
  }

  /** The key, if it is an agent's key that was revoked; undefined for any other. */
  async findRevoked(key: string): Promise<StoredKey | undefined> {
    const stored = await this.store.keys.findByHash(hashToken(key));
    return stored?.kind === 'agent' && stored.revokedAt !== undefined ? stored : undefined;
  }

  private async findStored(hash: string): Promise<StoredKey | undefined> {
    const stored = await this.store.keys.findByHash(hash);
    if (!stored || stored.revokedAt !== undefined) return undefined;
    this.add(stored);
    return stored;
  }

  /** Writes when each key was last used. A crash can lose only the uses of the last minutes. */
  async saveUses(): Promise<void> {
    if (this.uses.size === 0) return;
    const uses = [...this.uses].map(([id, at]) => ({ id, at: new Date(at).toISOString() }));
    this.uses.clear();
    await this.store.keys.markUsed(uses);
  }

  private noteUse(id: string): void {
    const now = Date.now();
    if (now - (this.notedUses.get(id) ?? 0) < usePrecisionMs) return;
    this.notedUses.set(id, now);
    this.uses.set(id, now);
  }

  /** Adds the keys to a store that lost its data, and the keys with it. The keys stay valid meanwhile. */
  restore(): Promise<void> {
    const addAll = async () => {
      for (const key of this.byId.values()) await this.store.keys.add(key);
    };
    const restoring = addAll()
      .then(() => {
        if (this.restoring === restoring) this.isRestoreDue = false;
      })
      .finally(() => {
        if (this.restoring === restoring) this.restoring = undefined;
      });
    this.isRestoreDue = true;
    this.restoring = restoring;
    restoring.catch(() => this.retryLater());
    return restoring;
  }

  private retryLater(): void {
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.reload(), retryMs).unref();
  }

  /** The key of a site, if it is valid: only then are the site's tickets valid. */
  site(id: string): StoredKey | undefined {
    const key = this.byId.get(id);
    return key && !isExpired(key) ? key : undefined;
  }

  /**
   * The callers of every key of a team, also of revoked keys. A caller of a revoked key is left out if an active key of
   * others has it now.
   */
  callersOf(team: string): string[] {
    const active = [...this.byId.values()];
    const others = new Set(active.flatMap((key) => (key.team === team ? [] : key.callers)));
    const own = (keys: readonly StoredKey[]) => keys.flatMap((key) => (key.team === team ? key.callers : []));
    return [...new Set([...own(active), ...own(this.revoked).filter((caller) => !others.has(caller))])];
  }

  /** The name on the key that acts for a caller, or did last. It is undefined where no such key has a name. */
  nameOfCaller(caller: string): string | undefined {
    const isOwn = ({ kind, name, callers }: StoredKey) =>
      kind === 'agent' && name !== '' && callers.includes(caller);
    return ([...this.byId.values()].find(isOwn) ?? this.revoked.findLast(isOwn))?.name;
  }

  allowsOrigin(origin: string): boolean {
    return this.origins.has(origin);
  }

  private async read(): Promise<void> {
    const stored = await this.store.keys.list();
    if (this.restoring) {
      // What was read may lack keys that are not restored yet.
      await this.restoring.catch(() => {});
      return this.read();
    }
    if (this.isRestoreDue) {
      // An earlier restore broke off. If this one fails, the keys in memory stay.
      await this.restore();
      return this.read();
    }
    const before = this.byId;
    this.byHash = new Map();
    this.byId = new Map();
    this.origins = new Set();
    this.revoked = stored.filter(({ revokedAt }) => revokedAt !== undefined);
    for (const key of stored) if (key.revokedAt === undefined) this.add(key);
    for (const [id, { expiresAt }] of before) {
      const key = this.byId.get(id);
      if (!key || key.expiresAt !== expiresAt) this.observer.onEndChanged(id);
    }
  }

  private add(key: StoredKey): void {
    this.byHash.set(key.hash, key);
    this.byId.set(key.id, key);
    for (const origin of key.origins) this.origins.add(origin);
  }
}
