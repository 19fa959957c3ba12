/**
 * The part of the return address that authorises a notification (Law 6): unguessable, for one call, valid as long as that
 * call can end. Checking it needs no look-up, so a flood of guesses costs a hash each.
 */
import type { PlacedBy } from '../store/store.ts';
import type { Signer } from './signer.ts';

/** For a provider that queues its notifications, beyond the longest duration of the call. */
const retryWindowSeconds = 24 * 3600;
const minute = 60_000;
/** After the expiry, for a call that a client places itself: it has the address too, and may invent the notification. */
const clientMark = '-c';

/** @param callSeconds how long the call can last from now on, ringing included. */
export function makeCapability(
  signer: Signer,
  callId: string,
  callSeconds: number,
  now: number,
  placedBy: PlacedBy = 'relay',
): string {
  const expires = Math.ceil((now + (callSeconds + retryWindowSeconds) * 1000) / minute);
  return signer.sign(
    'notification',
    `${callId}.${expires.toString(36)}${placedBy === 'client' ? clientMark : ''}`,
  );
}

/** Every capability of a call, wherever a text quotes it, also one that is cut off. */
export const capabilitiesOf = (callId: string) => new RegExp(`[\\w-]{6}\\.${callId}(\\.[\\w-]+)*`, 'g');

/** @returns the call's id, and who placed it; undefined where the address is forged or has expired. */
export function openCapability(
  signer: Signer,
  capability: string,
  now: number,
): { callId: string; placedBy: PlacedBy } | undefined {
  if (capability.length > 128) return undefined;
  const [callId, expires] = signer.verify('notification', capability)?.split('.') ?? [];
  if (callId === undefined || expires === undefined) return undefined;
  if (Number.parseInt(expires, 36) * minute <= now) return undefined;
  return { callId, placedBy: expires.endsWith(clientMark) ? 'client' : 'relay' };
}
