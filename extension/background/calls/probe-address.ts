/**
 * Finds out whether anything answers at an address, before the one request that dials: a HEAD of the base address, without
 * token. Any HTTP answer will do.
 *
 * `credentials: 'include'` on purpose: browsers keep connections with and without credentials apart, so the dialling request
 * cannot ride on the probe's connection and be resent with it (`fresh-connection.ts`).
 */
const probeTimeout = 3000;

export async function answers(
  address: string,
  fetchIt: typeof fetch = fetch,
): Promise<{ status: number } | { status: undefined; timedOut: boolean }> {
  const timeout = AbortSignal.timeout(probeTimeout);
  try {
    const response = await fetchIt(address, {
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

/** The first address that answers. */
export async function firstThatAnswers(
  addresses: readonly string[],
  fetchIt: typeof fetch = fetch,
): Promise<string | undefined> {
  for (const address of addresses) if ((await answers(address, fetchIt)).status !== undefined) return address;
  return undefined;
}
