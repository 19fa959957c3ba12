/** The most characters of a domain name in DNS. */
export const maxHostLength = 253;

/**
 * Returns the rule for a site as typed: its host, or `*.` and a domain for every host below it. Undefined if it is not
 * a host or an address, or if it is an IPv6 address.
 */
export function parseSiteRule(typed: string): string | undefined {
  const [, domain] = /^\s*\*\.(.+)$/.exec(typed) ?? [];
  const host = parseSite(domain ?? typed)?.hostname;
  if (host === undefined || host.startsWith('[')) return undefined;
  return domain === undefined ? host : `*.${host}`;
}

/**
 * Returns the site that a person typed: a host name or an address, with or without scheme and port. It may be pasted
 * from the address bar.
 * @returns undefined if it is not a host name or an address.
 */
export function parseSite(typed: string): URL | undefined {
  const trimmed = typed.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  if (/\s/.test(trimmed) || !/^https?:/i.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const { hostname } = url;
  return hostname === '' || hostname.length > maxHostLength || hostname.includes('*') ? undefined : url;
}
