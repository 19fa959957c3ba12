/** Chooses the route of a call, or says why there is none. It checks addresses and credentials first. */
import browser from 'webextension-polyfill';
import { isPlaintextBeyond } from '../../../shared/address.ts';
import { patternOf } from '../../match-pattern.ts';
import { ok, type Result, refuse } from '../../messages/result.ts';
import type { Settings } from '../../settings.ts';
import { readSecret, whyMissing } from '../settings/secrets.ts';
import { readSettings } from '../settings/settings-store.ts';
import type { Relay } from './relay-client.ts';

export type Route =
  | { mode: 'relay'; relay: Relay }
  | {
      mode: 'direct';
      /** Base addresses in the order in which they are probed. An https address is never changed to http here. */
      addresses: string[];
      token: string;
      /** The relay that follows the call. `missingKey`: a relay is set, but its key is not. */
      relay: Relay | 'missingKey' | undefined;
    };

/** Plain http to another computer is insecure, unless the settings allow it (`allowPlaintext`). */
export function isInsecure(address: string, settings: Settings): boolean {
  return !settings.connection.allowPlaintext && isPlaintextBeyond('loopback', address);
}

export async function mayReach(address: string): Promise<boolean> {
  const pattern = patternOf(address);
  if (!reachable.has(pattern) && (await browser.permissions.contains({ origins: [pattern] })))
    reachable.add(pattern);
  return reachable.has(pattern);
}

/**
 * Hosts that we know we may reach. Asking the browser would delay each click. Other hosts are asked about again, since
 * they may be allowed at any moment.
 */
const reachable = new Set<string>();

/** Forgets which hosts we may reach. It is called when a permission was removed. */
export const forgetReachable = (): void => reachable.clear();

/** Base addresses of the service in the order in which they are probed. */
function serviceAddresses({ connection: { direct } }: Settings): string[] {
  const chosen = direct.useLocal ? [direct.localUrl] : [direct.primaryUrl, direct.secondaryUrl];
  return chosen.filter((address) => address !== undefined);
}

export async function chooseRoute(settings: Settings): Promise<Result<Route>> {
  const { connection, agent } = settings;
  if (connection.mode === 'relay') {
    const { relayUrl: url } = connection;
    if (url === undefined) return refuse('notConfigured');
    const [key, isReachable] = await Promise.all([readSecret('agentKey', settings), mayReach(url)]);
    if (key === undefined) return refuse(await whyMissing('agentKey', settings));
    if (isInsecure(url, settings)) return refuse('insecure', url);
    if (!isReachable) return refuse('noPermission', new URL(url).hostname);
    return ok({ mode: 'relay', relay: { url, key } });
  }
  const addresses = serviceAddresses(settings);
  const token = await readSecret('serviceToken', settings);
  if (addresses.length === 0 || agent.from === undefined) return refuse('notConfigured');
  if (token === undefined) return refuse(await whyMissing('serviceToken', settings));
  const usable = addresses.filter((address) => !isInsecure(address, settings));
  if (usable.length === 0) return refuse('insecure', addresses[0]!);
  const permitted: string[] = [];
  for (const address of usable) if (await mayReach(address)) permitted.push(address);
  if (permitted.length === 0) return refuse('noPermission', new URL(usable[0]!).hostname);
  return ok({ mode: 'direct', addresses: permitted, token, relay: await relayOfDirect(settings) });
}

/** A digest of addresses and credentials. Only the same route has the same digest, and it does not reveal a secret. */
export async function routeDigest(route: Route): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(route)));
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}

/** The relay that a direct call is announced to. */
async function relayOfDirect(settings: Settings): Promise<Relay | 'missingKey' | undefined> {
  const { relayUrl, direct } = settings.connection;
  if (relayUrl === undefined || direct.returnTo !== 'relay' || isInsecure(relayUrl, settings))
    return undefined;
  return (await followingRelay(settings)) ?? 'missingKey';
}

/** Whether calls are placed by a relay or announced to one: only then they have records. */
export const involvesRelay = ({ connection: { mode, direct } }: Settings): boolean =>
  mode === 'relay' || direct.returnTo === 'relay';

/** The relay that follows calls, in both modes. */
export async function followingRelay(settings: Settings): Promise<Relay | undefined> {
  const { relayUrl: url } = settings.connection;
  const key = await readSecret('agentKey', settings);
  return url === undefined || key === undefined || isInsecure(url, settings) ? undefined : { url, key };
}

/** The relay that follows calls, by the settings in force. */
export const currentRelay = async (): Promise<Relay | undefined> =>
  followingRelay((await readSettings()).settings);
