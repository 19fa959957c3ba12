/**
 * Stored settings of an older version, brought up step by step: entry N makes version N + 2 of version N + 1.
 * An entry is never changed once released; each says what went before and when it may be dropped.
 */
type Stored = Record<string, unknown>;
export type Migration = (stored: Stored) => Stored;

/** None yet: version 1 is the first. */
export const migrations: readonly Migration[] = [];

export const currentVersion = 1;

/**
 * @param stored as found, of any version, also from an import. A newer version than ours is read as far as it is understood.
 * @returns what `Settings` may parse, with `version` set.
 */
export function migrate(stored: unknown, steps: readonly Migration[] = migrations): Record<string, unknown> {
  const isObject = typeof stored === 'object' && stored !== null && !Array.isArray(stored);
  let settings: Stored = isObject ? { ...(stored as Stored) } : {};
  const found = Number.isInteger(settings.version) ? Number(settings.version) : 1;
  for (let version = Math.max(1, found); version <= steps.length; version += 1)
    settings = steps[version - 1]!(settings);
  return { ...settings, version: steps.length + 1 };
}
