/**
 * Lays the organisation's values over the agent's own, without side effects. Chrome drops what its schema does not
 * know, and Firefox does not check values. So every managed value is parsed here. A wrong value is left out and named,
 * the others are used.
 */
import type { z } from 'zod/mini';
import { isObject } from '../../../shared/service/json.ts';
import { type Tree, valueAt, withValue, withValues } from '../../dotted-path.ts';
import type { ManagedProblem } from '../../messages/views.ts';
import { Settings } from '../../settings.ts';

export interface Overlay {
  settings: Settings;
  /** Dotted paths of the values set by the organisation. */
  locked: string[];
  problems: ManagedProblem[];
}

/**
 * @param own parsed settings.
 * @param managed the policy as the browser gives it.
 * @param mayHoldSecrets whether this browser keeps the policy from content scripts.
 */
export function overlayManaged(own: Settings, managed: unknown, mayHoldSecrets: boolean): Overlay {
  const locked: string[] = [];
  const problems: ManagedProblem[] = [];
  if (!isObject(managed)) return { settings: own, locked, problems };
  if (managed.secrets !== undefined && !mayHoldSecrets)
    problems.push({ path: 'secrets', problem: 'secretsAreReadable' });
  let laid: Tree = own;
  for (const [path, value] of leaves(managed, own)) {
    if (path === 'version') continue;
    const whole = problemOf(laid, path, value);
    const isList = Array.isArray(value) && Array.isArray(valueAt(own, path));
    const taken = whole && isList ? usableItems(laid, path, value) : { usable: value, found: whole };
    problems.push(...[taken.found ?? []].flat());
    if (taken.usable === undefined || (whole && !isList)) continue;
    laid = withValue(laid, path, taken.usable);
    locked.push(path);
  }
  return { settings: locked.length === 0 ? own : Settings.parse(laid), locked, problems };
}

/** Keeps the right items of a list with wrong ones. @returns without `usable` if the list is not used at all. */
function usableItems(
  laid: Tree,
  path: string,
  items: readonly unknown[],
): { usable?: unknown[]; found: ManagedProblem[] } {
  const found: ManagedProblem[] = [];
  const usable = items.filter((item, index) => {
    const problem = problemOf(laid, path, [item]);
    if (problem) found.push({ ...problem, path: problem.path.replace(`${path}.0`, `${path}.${index}`) });
    return !problem;
  });
  if (usable.length === 0) return { found };
  // Each item is right, but together they are too many.
  const together = problemOf(laid, path, usable);
  return together ? { found: [...found, together] } : { usable, found };
}

function problemOf(settings: Tree, path: string, value: unknown): ManagedProblem | undefined {
  const parsed = Settings.safeParse(withValue(settings, path, value));
  if (parsed.success) {
    const unknown = firstUnknown(value, valueAt(parsed.data, path), path);
    return unknown === undefined ? undefined : { path: unknown, problem: 'noSuchSetting' };
  }
  const issue = parsed.error.issues[0]!;
  return { path: issue.path.join('.'), problem: 'notValid', ...expectation(issue) };
}

/**
 * Path of the first member that the schema dropped. A rule that lost a misspelled condition would change every call.
 */
function firstUnknown(given: unknown, taken: unknown, path: string): string | undefined {
  if (taken === undefined) return path;
  if (typeof given !== 'object' || given === null) return undefined;
  for (const [name, member] of Object.entries(given)) {
    const found = firstUnknown(member, (taken as Tree)[name], `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function expectation(issue: z.core.$ZodIssue): Pick<ManagedProblem, 'expected'> {
  if (issue.code === 'invalid_value') return { expected: issue.values.map((value) => JSON.stringify(value)) };
  if (issue.code !== 'invalid_type') return {};
  if (issue.expected === 'boolean') return { expected: ['true', 'false'] };
  return issue.expected === 'array' ? { expected: ['["…"]'] } : {};
}

/** `settings`, with every locked path as it was in `kept`. A page cannot overwrite the organisation's values. */
export function keepLocked(settings: Settings, locked: readonly string[], kept: Settings): Settings {
  return Settings.parse(
    withValues(
      settings,
      locked.map((path) => [path, valueAt(kept, path)]),
    ),
  );
}

/** Yields each value with its path. An object is a group of settings, unless the agent's own is a list or one value. */
function* leaves(tree: Tree, own: Settings, prefix = ''): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(tree)) {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    if (prefix === '' && name === 'secrets') continue;
    const isLeaf = !isObject(value) || isOneValue(path) || Array.isArray(valueAt(own, path));
    if (!isLeaf) yield* leaves(value, own, path);
    else yield [path, value];
  }
}

/** Objects that only make sense as one value. */
function isOneValue(path: string): boolean {
  return path === 'guard.officeHours';
}
