/** Asks again until there is a value; none, a no and a count of 0 are not one yet. For states that no event announces to a driver; the limit is generous, machines are slow. */
export async function until<T>(
  ask: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  what: string,
  limitMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const value = await ask();
    if (value !== null && value !== undefined && value !== false && value !== 0) return value;
    if (Date.now() > deadline) throw new Error(`waited ${limitMs / 1000} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
