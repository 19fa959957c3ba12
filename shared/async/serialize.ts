/**
 * Makes a queue of one: each function runs when the one before it has settled, in the order of the calls. A rejection
 * reaches its own caller and does not stop the next.
 */
export function serializer(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}
