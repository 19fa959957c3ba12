import { valueAt } from '../../dotted-path.ts';
import { isLocked } from './is-locked.ts';

const country = 'numbers.country';
const areaCode = 'numbers.areaCode';

/**
 * Changes of the settings without those that the organisation has locked. An area code is for its country only, since
 * it is put before local numbers. So another country removes the old area code, and a locked country keeps it.
 */
export function unlockedChanges(
  changes: Readonly<Record<string, unknown>>,
  settings: object,
  locked: readonly string[],
): Record<string, unknown> {
  const isOther = changes[country] !== undefined && changes[country] !== valueAt(settings, country);
  const all = isOther ? { [areaCode]: undefined, ...changes } : changes;
  const isKept = (path: string) => path === areaCode && isOther && isLocked(locked, country);
  return Object.fromEntries(Object.entries(all).filter(([path]) => !isLocked(locked, path) && !isKept(path)));
}
