/** The relay's clock, by the Date header of its answers: the agent's own may be wrong by hours. */

let offsetMs: number | undefined;

export function observeRelayDate(date: string | null): void {
  const at = Date.parse(date ?? '');
  if (!Number.isNaN(at)) offsetMs = at - Date.now();
}

/** @returns undefined before the relay's first answer. */
export const relayNow = (): Date | undefined =>
  offsetMs === undefined ? undefined : new Date(Date.now() + offsetMs);
