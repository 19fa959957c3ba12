/**
 * Lays the organisation's values over the agent's own: pure. Chrome drops what its schema does not know and Firefox checks
 * nothing, so every managed value is parsed here; one that is wrong is left out and named, the others still hold.
 */
import type { SettingsView } from '../../messages.ts';
import { Settings } from '../../settings.ts';

export interface Overlay {
  settings: Settings;
  /** Dotted paths of the values set by the organisation. */
  locked: string[];
  problems: SettingsView['managedProblems'];
}

type Tree = Record<string, unknown>;
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
  for (const [path, value] of leaves(managed)) {
    if (path === 'version') continue;
    const candidate = withValue(result.settings as unknown as Tree, path.split('.'), value);
    const parsed = Settings.safeParse(candidate);
    if (!parsed.success) {
      result.problems.push({ path, problem: 'notValid' });
    } else if (valueAt(parsed.data as unknown as Tree, path.split('.')) === undefined) {
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
  let result = settings as unknown as Tree;
  for (const path of locked) {
    const parts = path.split('.');
    result = withValue(result, parts, valueAt(kept as unknown as Tree, parts));
  }
  return Settings.parse(result);
}

/** Lists and plain values are leaves; an object is a group of settings. */
function* leaves(tree: Tree, prefix = ''): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(tree)) {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    if (prefix === '' && name === 'secrets') continue;
    if (isTree(value) && !isWhole(path)) yield* leaves(value, path);
    else yield [path, value];
  }
}

/** Objects that only make sense as one value. */
function isWhole(path: string): boolean {
  return path === 'guard.officeHours';
}

function valueAt(tree: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((node, name) => (isTree(node) ? node[name] : undefined), tree);
}

function withValue(tree: Tree, path: readonly string[], value: unknown): Tree {
  const [name, ...rest] = path;
  if (name === undefined) return tree;
  const child = tree[name];
  const next = rest.length === 0 ? value : withValue(isTree(child) ? child : {}, rest, value);
  const copy = { ...tree };
  if (next === undefined) delete copy[name];
  else copy[name] = next;
  return copy;
}
