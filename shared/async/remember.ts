/**
 * Remembers what `load` resolves to until `forget` is called. A failure is not remembered. A load that ends after
 * `forget` does not change what was loaded later.
 */
export function remember<T>(load: () => Promise<T>): { read(): Promise<T>; forget(): void } {
  let remembered: Promise<T> | undefined;
  return {
    read() {
      if (remembered) return remembered;
      const loading = load();
      remembered = loading;
      loading.catch(() => {
        if (remembered === loading) remembered = undefined;
      });
      return loading;
    },
    forget() {
      remembered = undefined;
    },
  };
}
