/** Values inside settings by dotted path: `connection.direct.method`, `numbers.dialRules.0.prepend`. */

export type Tree = { readonly [name: string]: unknown };

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** Reads only a tree's own members: a file may name `constructor`. */
export function valueAt(tree: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isTree(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      tree,
    );
}

/** A copy of the tree with this value; undefined removes the member. */
export function withValue(tree: Tree, path: string, value: unknown): Tree {
  const [name = '', ...rest] = path.split('.');
  // The copy of a list is a list.
  const copy = (Array.isArray(tree) ? [...tree] : { ...tree }) as Record<string, unknown>;
  const member =
    rest.length > 0 ? withValue((valueAt(tree, name) ?? {}) as Tree, rest.join('.'), value) : value;
  delete copy[name];
  // Not a plain assignment: a member `__proto__` would then set the prototype.
  if (member !== undefined)
    Object.defineProperty(copy, name, {
      value: member,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return copy;
}

/** A copy of the tree with all these values. */
export const withValues = (tree: Tree, values: Iterable<readonly [path: string, value: unknown]>): Tree =>
  [...values].reduce((result, [path, value]) => withValue(result, path, value), tree);
