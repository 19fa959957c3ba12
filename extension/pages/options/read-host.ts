/**
 * The host name that a person means by a name, an address pasted from the address bar, or either with a port.
 * @returns lower case, without port; undefined where it is none of these.
 */
export function readHost(typed: string): string | undefined {
  const trimmed = typed.trim();
  if (trimmed === '' || /\s/.test(trimmed)) return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined;
  const { hostname } = new URL(address);
  return hostname.includes('*') ? undefined : hostname;
}
