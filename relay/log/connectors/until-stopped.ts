import { CrmError, type CrmFailure } from './crm-error.ts';

/**
 * Starts work at a CRM and waits for it no longer than the relay runs. So a CRM that hangs does not delay the relay's
 * stop. A request that was sent goes on.
 * @throws CrmError with the reason `stopped` once the signal aborts.
 */
export const untilStopped = <T>(
  start: () => Promise<T>,
  signal: AbortSignal,
  failure: CrmFailure,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(new CrmError(failure, 'stopped'));
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop);
    start()
      .finally(() => signal.removeEventListener('abort', stop))
      .then(resolve, reject);
  });
