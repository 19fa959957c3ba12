import { useRef, useState } from 'preact/hooks';
import type { Refusal } from '../../messages/result.ts';

/**
 * An action that the relay or another server carries out, one at a time. A press while it is under way does nothing:
 * its button shows that by `aria-disabled`, which keeps the focus. The failure of one try goes when the next begins.
 * @param act resolves to why it failed.
 */
export function useAction<Args extends unknown[]>(act: (...args: Args) => Promise<Refusal | undefined>) {
  const [state, setState] = useState<{ isRunning: boolean; error?: Refusal | undefined }>({
    isRunning: false,
  });
  // Not state: a second press may come before the page is rendered again.
  const isRunning = useRef(false);
  async function run(...args: Args): Promise<void> {
    if (isRunning.current) return;
    isRunning.current = true;
    setState({ isRunning: true });
    const error = await act(...args);
    isRunning.current = false;
    setState({ isRunning: false, error });
  }
  return { ...state, run };
}
