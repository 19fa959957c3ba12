/** Values inside settings by their dotted path: `connection.direct.method`, in a list by place: `numbers.dialRules.0.prepend`. */

export type Tree = { readonly [name: string]: unknown };

export function valueAt(tree: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], tree);
}

/** A copy with this value; undefined removes it. */
export function withValue(tree: Tree, path: string, value: unknown): Tree {
  const [name = '', ...rest] = path.split('.');
  // A list stays a list.
  const copy = (Array.isArray(tree) ? [...tree] : { ...tree }) as Record<string, unknown>;
  if (rest.length > 0) copy[name] = withValue((tree[name] ?? {}) as Tree, rest.join('.'), value);
  else if (value === undefined) delete copy[name];
  else copy[name] = value;
  return copy;
}
