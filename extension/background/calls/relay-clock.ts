/** The relay's time, from the Date header of its replies. The clock of the agent's computer may be wrong by hours. */

/** A smaller difference is ignored. The header has whole seconds, and a reply takes some time to arrive. */
const minOffsetMs = 5000;
let offsetMs: number | undefined;

export function observeRelayDate(date: string | null): void {
  const at = Date.parse(date ?? '');
  if (!Number.isNaN(at)) offsetMs = at - Date.now();
}

/** @returns undefined before the relay's first answer. */
export const relayNow = (): Date | undefined =>
  offsetMs === undefined ? undefined : new Date(Date.now() + offsetMs);

/**
 * Converts a time of the relay, ISO 8601 UTC, to the agent's clock. If the difference is unknown or small, the time
 * stays.
 */
export const toOwnClock = (time: string): string =>
  offsetMs === undefined || Math.abs(offsetMs) < minOffsetMs
    ? time
    : new Date(Date.parse(time) - offsetMs).toISOString();
