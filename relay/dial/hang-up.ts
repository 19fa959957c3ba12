/** Hangs a call up at the calling service. A repeated request does not harm, so every address may be asked. */
import { request } from 'undici';
import { buildHangUp } from '../../shared/service/request.ts';
import type { ProviderSettings } from '../settings.ts';

const timeoutMs = 10_000;

type HungUp = 'asked' | 'finished' | 'unknownCall' | 'unreachable';

/**
 * @returns the answer of the first address that knows the call. Without one, `unreachable` if an address could not be
 * asked, else `unknownCall`.
 */
export async function hangUpAtProvider(provider: ProviderSettings, callid: string): Promise<HungUp> {
  let outcome: HungUp = 'unknownCall';
  for (const address of provider.addresses) {
    const answer = await askOnce(address, callid, provider.token);
    if (answer === 'asked' || answer === 'finished') return answer;
    if (answer === 'unreachable') outcome = answer;
  }
  return outcome;
}

async function askOnce(address: string, callid: string, token: string): Promise<HungUp> {
  const { url, method, headers } = buildHangUp(address, callid, token);
  try {
    const { statusCode, body } = await request(url, {
      method,
      headers,
      signal: AbortSignal.timeout(timeoutMs),
    });
    await body.dump();
    if (statusCode >= 200 && statusCode < 300) return 'asked';
    if (statusCode === 409) return 'finished';
    return statusCode === 404 || statusCode === 405 ? 'unknownCall' : 'unreachable';
  } catch {
    return 'unreachable';
  }
}
