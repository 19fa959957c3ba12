/**
 * Finds out whether anything answers at an address, before the one request that dials. It sends a HEAD of the base
 * address without the token; any HTTP answer will do.
 *
 * `credentials: 'include'` is on purpose. Browsers keep connections with and without credentials apart, so the
 * dialling request never reuses the probe's connection (`forbid-connection-reuse.ts`).
 */
const probeTimeoutMs = 3000;

export async function probeAddress(
  address: string,
): Promise<{ status: number } | { status: undefined; timedOut: boolean }> {
  const timeout = AbortSignal.timeout(probeTimeoutMs);
  try {
    const response = await fetch(address, {
      method: 'HEAD',
      signal: timeout,
      redirect: 'manual',
      credentials: 'include',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
    });
    return { status: response.status };
  } catch {
    return { status: undefined, timedOut: timeout.aborted };
  }
}

/** @returns the first address that answers. */
export async function firstReachable(addresses: readonly string[]): Promise<string | undefined> {
  for (const address of addresses) if ((await probeAddress(address)).status !== undefined) return address;
  return undefined;
}
