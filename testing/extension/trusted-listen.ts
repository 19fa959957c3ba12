/** In place of `extension/content/listen.ts`: jsdom's events are never trusted, but here they pass for it. */
export function listen(
  types: string | readonly string[],
  handle: (event: Event) => unknown,
  signal: AbortSignal,
): void {
  const trusted = (event: Event) =>
    new Proxy(event, {
      get(target, name) {
        const value = name === 'isTrusted' ? true : Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  for (const type of [types].flat())
    addEventListener(type, (event) => handle(trusted(event)), { capture: true, signal });
}
