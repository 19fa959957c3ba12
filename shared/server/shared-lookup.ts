/** Looks up the address of a host once for all connections that wait for it. */
import dns from 'node:dns';
import type { LookupFunction } from 'node:net';

type OnLookedUp = Parameters<LookupFunction>[2];

const waiting = new Map<string, OnLookedUp[]>();

/**
 * For `connect`. A lookup holds one of the four threads of Node's pool, for 20 seconds if the name's servers are
 * silent. Sixteen lookups of one name would keep every other host, and every file, waiting. A connection that comes
 * late shares the failure of a lookup that began before.
 */
export const sharedLookup: LookupFunction = (hostname, options, onLookedUp) => {
  const key = JSON.stringify([hostname, options]);
  const others = waiting.get(key);
  if (others) {
    others.push(onLookedUp);
    return;
  }
  const all = [onLookedUp];
  // It throws for options that it does not know, and calls back later.
  dns.lookup(hostname, options, (...result: Parameters<OnLookedUp>) => {
    waiting.delete(key);
    for (const each of all) each(...result);
  });
  waiting.set(key, all);
};
