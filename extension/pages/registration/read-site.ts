/** The site whose data is to be cleared: the PBX's host. */
import { parseSite } from '../../parse-site.ts';

export interface Site {
  /** The host, without scheme and port. */
  host: string;
  /** The host, and the host with the port if a port was typed. */
  hosts: string[];
  /** All `hosts` with both schemes. */
  origins: string[];
}

/** @returns undefined where `typed` is neither an address nor a host name. */
export function readSite(typed: string): Site | undefined {
  const url = parseSite(typed);
  if (!url) return undefined;
  const { hostname, port } = url;
  const hosts = port === '' ? [hostname] : [hostname, `${hostname}:${port}`];
  return {
    host: hostname,
    hosts,
    origins: ['http', 'https'].flatMap((scheme) => hosts.map((host) => `${scheme}://${host}`)),
  };
}

/**
 * Whether the host is part of a domain. Chrome then clears the cookies of the whole domain. `pbx` and `192.0.2.10` are
 * not.
 */
export function belongsToDomain(host: string): boolean {
  return host.includes('.') && !/^[\d.]+$|^\[/.test(host);
}
