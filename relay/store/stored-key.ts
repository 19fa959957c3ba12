/** Agent and site keys as the store keeps them. */
export const keyRights = ['override', 'rules', 'supervise'] as const;
export type KeyRight = (typeof keyRights)[number];

export interface StoredKey {
  id: string;
  kind: 'agent' | 'site';
  name: string;
  /** SHA-256 of the key, base64url. The key itself is printed once and kept nowhere. */
  hash: string;
  origins: string[];
  /** The callers' codes it may act for. */
  callers: string[];
  /** Whether it may announce calls that its client places itself. */
  clientCalls?: boolean;
  team?: string;
  rights?: readonly KeyRight[];
  createdAt: string;
  /** The key is not valid from then on. */
  expiresAt?: string;
  /** The time of the last use, exact to about a minute. */
  lastUsedAt?: string;
  revokedAt?: string;
}

export const isExpired = ({ expiresAt }: StoredKey): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();

/** Neither revoked nor expired. */
export const isActive = (key: StoredKey): boolean => key.revokedAt === undefined && !isExpired(key);

/** Whether an agent with this key sees the calls of the caller. */
export const isActiveAgentKeyOf = (key: StoredKey, caller: string): boolean =>
  key.kind === 'agent' && isActive(key) && key.callers.includes(caller);

export interface KeyOperations {
  add(key: StoredKey): void;
  list(): StoredKey[];
  findByHash(hash: string): StoredKey | undefined;
  revoke(id: string, at: string): boolean;
  /** Sets an earlier end; a later end is ignored. @returns false where no active key has the id. */
  expire(id: string, at: string): boolean;
  markUsed(uses: readonly { id: string; at: string }[]): void;
}
