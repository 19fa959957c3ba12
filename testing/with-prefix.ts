/** Variables whose names have a prefix. */
export const withPrefix = <Value>(
  prefix: string,
  variables: Readonly<Record<string, Value>>,
): Record<string, Value> =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [prefix + name, value]));
