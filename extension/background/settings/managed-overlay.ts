/**
 * Lays the organisation's values over the agent's own: pure. Chrome drops what its schema does not know and Firefox checks
 * nothing, so every managed value is parsed here; one that is wrong is left out and named, the others still hold.
 */
import { type Tree, valueAt, withValue } from '../../dotted-path.ts';
import type { SettingsView } from '../../messages.ts';
import { Settings } from '../../settings.ts';

export interface Overlay {
  settings: Settings;
  /** Dotted paths of the values set by the organisation. */
  locked: string[];
  problems: SettingsView['managedProblems'];
}

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * @param own parsed settings.
 * @param managed the policy as the browser gives it.
 * @param mayHoldSecrets whether this browser keeps the policy from content scripts.
 */
export function overlayManaged(own: Settings, managed: unknown, mayHoldSecrets: boolean): Overlay {
  const result: Overlay = { settings: own, locked: [], problems: [] };
  if (!isTree(managed)) return result;
  if (managed.secrets !== undefined && !mayHoldSecrets)
    result.problems.push({ path: 'secrets', problem: 'secretsAreReadable' });
  for (const [path, value] of leaves(managed, own)) {
    if (path === 'version') continue;
    const candidate = withValue(result.settings, path, value);
    const parsed = Settings.safeParse(candidate);
    if (!parsed.success) {
      result.problems.push({ path, problem: 'notValid' });
    } else if (valueAt(parsed.data, path) === undefined) {
      result.problems.push({ path, problem: 'noSuchSetting' });
    } else {
      result.settings = parsed.data;
      result.locked.push(path);
    }
  }
  return result;
}

/** `settings`, with every locked path as it was in `kept`: a page cannot save over the organisation. */
export function keepLocked(settings: Settings, locked: readonly string[], kept: Settings): Settings {
  return Settings.parse(
    locked.reduce<Tree>((result, path) => withValue(result, path, valueAt(kept, path)), settings),
  );
}

/** Lists and plain values are leaves; an object is a group of settings, but for what is one value or a list in the agent's own. */
function* leaves(tree: Tree, own: Settings, prefix = ''): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(tree)) {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    if (prefix === '' && name === 'secrets') continue;
    const isLeaf = !isTree(value) || isWhole(path) || Array.isArray(valueAt(own, path));
    if (!isLeaf) yield* leaves(value, own, path);
    else yield [path, value];
  }
}

/** Objects that only make sense as one value. */
function isWhole(path: string): boolean {
  return path === 'guard.officeHours';
}
