/** Whose data to clear: the PBX's host, from what a person copies out of the address bar. */

export interface Site {
  /** Without scheme and port. */
  host: string;
  /** The host, and the host with the port that was typed. */
  hosts: string[];
  /** These in both schemes. */
  origins: string[];
}

/** @param typed an address or a host name, with or without a port. @returns undefined where it is neither. */
export function readSite(typed: string): Site | undefined {
  const trimmed = typed.trim();
  if (trimmed === '' || /\s/.test(trimmed)) return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined;
  const { hostname, port } = new URL(address);
  if (hostname === '' || hostname.includes('*')) return undefined;
  const hosts = port === '' ? [hostname] : [hostname, `${hostname}:${port}`];
  return {
    host: hostname,
    hosts,
    origins: ['http', 'https'].flatMap((scheme) => hosts.map((host) => `${scheme}://${host}`)),
  };
}

/** Whether the host belongs to a registered domain, so that Chrome clears cookies beyond it. Not so for `pbx` and addresses. */
export function belongsToDomain(host: string): boolean {
  return host.includes('.') && !/^[\d.]+$|^\[/.test(host);
}
