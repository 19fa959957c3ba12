/** Match patterns, by which browsers name the hosts that an extension may reach. */

export const everySite = '*://*/*';

/**
 * @param host a name, `*.example` for a domain with all that is below it, or a whole address.
 * @returns its pattern, without a port: Firefox takes none.
 */
export function patternOf(host: string): string {
  return `*://${host.includes('://') ? new URL(host).hostname : host}/*`;
}
