/** Values inside settings by dotted path: `connection.direct.method`, `numbers.dialRules.0.prepend`. */

export type Tree = { readonly [name: string]: unknown };

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** Reads own members alone: a file may name `constructor`. */
export function valueAt(tree: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isTree(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      tree,
    );
}

/** A copy with this value; undefined removes it. */
export function withValue(tree: Tree, path: string, value: unknown): Tree {
  const [name = '', ...rest] = path.split('.');
  // A list stays a list.
  const copy = (Array.isArray(tree) ? [...tree] : { ...tree }) as Record<string, unknown>;
  const member =
    rest.length > 0 ? withValue((valueAt(tree, name) ?? {}) as Tree, rest.join('.'), value) : value;
  delete copy[name];
  // Not assigned: `__proto__` would become the prototype.
  if (member !== undefined)
    Object.defineProperty(copy, name, {
      value: member,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return copy;
}
