declare global {
  interface WindowEventMap {
    /** Only Chromium has this event, at the document. */
    prerenderingchange: Event;
    fullscreenchange: Event;
  }
}

/** Listens before the page does, until `signal` is aborted. */
export function listen<Type extends keyof WindowEventMap>(
  types: Type | readonly Type[],
  handle: (event: WindowEventMap[Type]) => unknown,
  signal: AbortSignal,
  target: EventTarget = window,
): void {
  for (const type of [types].flat())
    target.addEventListener(type, handle as EventListener, { capture: true, signal });
}
