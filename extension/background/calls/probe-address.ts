/**
 * Sends a HEAD request to the base address, without the token, before the request that dials. Any HTTP status proves
 * that something answers there.
 *
 * `credentials: 'include'` is deliberate. Browsers keep connections with and without credentials apart. So the
 * dialling request never reuses this connection (`forbid-connection-reuse.ts`).
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
