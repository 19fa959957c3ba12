/** The relay's clock, by the Date header of its answers: the agent's own may be wrong by hours. */

/** A smaller difference is none: the header has whole seconds, and an answer takes its time. */
const minOffsetMs = 5000;
let offsetMs: number | undefined;

export function observeRelayDate(date: string | null): void {
  const at = Date.parse(date ?? '');
  if (!Number.isNaN(at)) offsetMs = at - Date.now();
}

/** @returns undefined before the relay's first answer. */
export const relayNow = (): Date | undefined =>
  offsetMs === undefined ? undefined : new Date(Date.now() + offsetMs);

/** Converts a time of the relay, ISO 8601 UTC, to the agent's clock, as far as the relay's is known. */
export const toOwnClock = (time: string): string =>
  offsetMs === undefined || Math.abs(offsetMs) < minOffsetMs
    ? time
    : new Date(Date.parse(time) - offsetMs).toISOString();
