import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** How long clicks are ignored after a button appeared: they were meant for something else. */
export const ignoreClicksMs = 300;

interface Props {
  id: string;
  class?: string;
  /** Takes the focus when it appears. */
  isFocused?: boolean;
  disabled?: boolean;
  'aria-disabled'?: boolean;
  onPress(): void;
  children: ComponentChildren;
}

/**
 * A button that acts on a call. A press counts only if the button was readable for `ignoreClicksMs`: its page visible
 * and nothing above it. A key counts only `ignoreClicksMs` after the window got the focus, and not while it is held
 * down.
 */
export function DeliberateButton({ isFocused, onPress, children, ...button }: Props) {
  const element = useRef<HTMLButtonElement>(null);
  const state = useRef({ shownAt: performance.now(), focusedAt: 0, isCovered: false });
  useEffect(() => {
    if (isFocused) element.current?.focus();
  }, [isFocused]);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    // Another page may open this page in the background, and show it just before a key or a click.
    const onVisible = () => {
      state.current.shownAt = performance.now();
    };
    document.addEventListener('visibilitychange', onVisible, { signal });
    addEventListener(
      'focus',
      () => {
        state.current.focusedAt = performance.now();
      },
      { signal },
    );
    const observer = new IntersectionObserver(
      (entries) => {
        const { isVisible } = entries.at(-1) as IntersectionObserverEntry & { isVisible?: boolean };
        // In Firefox (153) `isVisible` does not exist.
        if (state.current.isCovered && isVisible) onVisible();
        state.current.isCovered = isVisible === false;
      },
      { trackVisibility: true, delay: 100 } as IntersectionObserverInit,
    );
    observer.observe(element.current!);
    signal.addEventListener('abort', () => observer.disconnect());
    return () => controller.abort();
  }, []);
  const press = (event: MouseEvent) => {
    const { shownAt, focusedAt, isCovered } = state.current;
    const isByKey = (event as PointerEvent).pointerType === '';
    const readableSince = isByKey ? Math.max(shownAt, focusedAt) : shownAt;
    const isReadable = performance.now() - readableSince >= ignoreClicksMs;
    if (isReadable && !isCovered && document.visibilityState === 'visible') onPress();
  };
  return (
    <button
      type="button"
      {...button}
      ref={element}
      onClick={press}
      onKeyDown={(event) => event.repeat && event.preventDefault()}
    >
      {children}
    </button>
  );
}
