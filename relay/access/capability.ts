/**
 * The part of the return address that authorises a notification (Law 6): unguessable, for one call, valid as long as
 * that call can end. Checking it needs no look-up, so a flood of guesses costs a hash each.
 */
import { minuteMs } from '../../shared/durations.ts';
import type { PlacedBy } from '../store/store.ts';
import type { Signer } from './signer.ts';

/** The time that a provider may queue its notifications, beyond the longest duration of the call. */
const retryWindowSeconds = 24 * 3600;
/**
 * This mark is after the expiry if a client places the call itself. The client has the address, too, and may invent the
 * notification.
 */
const clientMark = '-c';

/** @param callSeconds how long the call can last from now on, ringing included. */
export function makeCapability(
  signer: Signer,
  callId: string,
  callSeconds: number,
  now: number,
  placedBy: PlacedBy = 'relay',
): string {
  const expires = Math.ceil((now + (callSeconds + retryWindowSeconds) * 1000) / minuteMs);
  return signer.sign(
    'notification',
    `${callId}.${expires.toString(36)}${placedBy === 'client' ? clientMark : ''}`,
  );
}

/** A dot as it is, percent-encoded, or escaped as in JSON or HTML. */
const dot = '(?:\\.|%(?:25)*2[eE]|\\\\+u002[eE]|&#(?:46|x2[eE]);)';

/** @param value parsed JSON. @returns a copy without any capability of the call, also one that a text cuts off. */
export function withoutCapabilities<T>(callId: string, value: T): T {
  const capability = new RegExp(`[\\w-]{6}${dot}${callId}(?:${dot}[\\w-]+)*`, 'g');
  const clean = (part: unknown): unknown => {
    if (typeof part === 'string') return part.replace(capability, '[removed]');
    if (Array.isArray(part)) return part.map(clean);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [clean(name), clean(member)]));
  };
  return clean(value) as T;
}

/** @returns the call's id, and who placed it; undefined where the address is forged or has expired. */
export function openCapability(
  signer: Signer,
  capability: string,
  now: number,
): { callId: string; placedBy: PlacedBy } | undefined {
  if (capability.length > 128) return undefined;
  const [callId, expires] = signer.verify('notification', capability)?.split('.') ?? [];
  if (callId === undefined || expires === undefined) return undefined;
  if (Number.parseInt(expires, 36) * minuteMs <= now) return undefined;
  return { callId, placedBy: expires.endsWith(clientMark) ? 'client' : 'relay' };
}
