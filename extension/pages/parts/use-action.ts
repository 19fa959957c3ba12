import { useRef, useState } from 'preact/hooks';
import type { Refusal } from '../../messages/result.ts';

/**
 * An action that the relay or another server carries out, one at a time. A press during the action does nothing. Its
 * button shows that by `aria-disabled`, which keeps the focus. The next try clears the failure of the last one.
 * @param act resolves to the reason of a failure, or undefined.
 */
export function useAction<Args extends unknown[]>(act: (...args: Args) => Promise<Refusal | undefined>) {
  const [state, setState] = useState<{ isRunning: boolean; error?: Refusal | undefined }>({
    isRunning: false,
  });
  // A ref instead of state: a second press may come before the page is rendered again.
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
