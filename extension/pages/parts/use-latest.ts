import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/**
 * The result of the newest `load`. `load` runs when `key` changes and on `reload`; an older result that arrives later
 * is dropped. `value` stays until the next result arrives. `isCurrent`: whether `value` was loaded for this key.
 * `reload` resolves to the result, or to undefined if it was dropped. `replace` sets `value` without loading.
 */
export function useLatest<T>(key: string, load: () => Promise<T>) {
  const [loaded, setLoaded] = useState<{ key: string; value: T }>();
  const turn = useRef(0);
  const latestLoad = useRef(load);
  latestLoad.current = load;

  const replace = useCallback(
    (value: T) => {
      turn.current += 1;
      setLoaded({ key, value });
    },
    [key],
  );
  const reload = useCallback(async (): Promise<T | undefined> => {
    turn.current += 1;
    const mine = turn.current;
    const value = await latestLoad.current();
    if (mine !== turn.current) return undefined;
    replace(value);
    return value;
  }, [replace]);
  useEffect(() => {
    void reload();
    return () => {
      turn.current += 1;
    };
  }, [reload]);
  return { value: loaded?.value, isCurrent: loaded?.key === key, reload, replace };
}
