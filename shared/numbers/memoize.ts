/**
 * Derives the value of each key once. The value must follow from the key alone.
 * @param maxSize with more values, all are removed.
 */
export function memoize<Key, Value>(make: (key: Key) => Value, maxSize = Infinity): (key: Key) => Value {
  const known = new Map<Key, { value: Value }>();
  return (key) => {
    let entry = known.get(key);
    if (!entry) {
      if (known.size >= maxSize) known.clear();
      entry = { value: make(key) };
      known.set(key, entry);
    }
    return entry.value;
  };
}
