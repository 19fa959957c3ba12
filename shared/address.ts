/**
 * Classifies addresses by where their host is. The caller decides the policy (what may be sent in plain text to where).
 * The code does not use `node:net`, so that browsers can run it. The URL parser turns every way to write an IP address
 * (`127.1`, `0x7f.1`) into one form.
 */

/** How far a request travels: within this machine, within a local network, or over the Internet. */
export type Reach = 'loopback' | 'private' | 'public';

/** Suffixes that no public name server resolves (RFC 6762, RFC 8375, ICANN's `.internal`, common use). */
const localSuffix = /\.(local|internal|lan|home\.arpa)$/;

export function reachOf(address: string | URL): Reach {
  const { hostname } = new URL(address);
  if (hostname.startsWith('[')) return reachOfIPv6(hostname.slice(1, -1));
  const isIPv4 = /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
  if (isIPv4) return reachOfIPv4(hostname.split('.').map(Number));
  const name = hostname.replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return 'loopback';
  // `pbx` is looked up in the local domain; `ai.`, with its dot, is a public top-level domain.
  return localSuffix.test(name) || !hostname.includes('.') ? 'private' : 'public';
}

export function isLoopback(address: string | URL): boolean {
  return reachOf(address) === 'loopback';
}

/** Whether a request to the address is readable on the way: plain http to a host farther away than `exempt`. */
export function isPlaintextBeyond(exempt: 'loopback' | 'private', address: string | URL): boolean {
  if (new URL(address).protocol !== 'http:') return false;
  const reach = reachOf(address);
  return reach === 'public' || (reach === 'private' && exempt === 'loopback');
}

/** A host as it stands in a URL: an IPv6 address in brackets. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

export function withoutTrailingSlash(address: string): string {
  return address.replace(/\/+$/, '');
}

/**
 * `base` with `path` at its end, whether the base is written with a trailing slash, a path of its own, or
 * `path` already.
 * @throws Error that begins with `name`, where the base is not an http(s) address or carries credentials, a
 *   query or a fragment.
 */
export function endpointUrl(base: string, path: string, name: string): URL {
  if (!URL.canParse(base))
    throw new Error(`${name}: expected something like https://api.example.com, got "${base}"`);
  const url = new URL(base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error(`${name}: expected http:// or https://, got "${url.protocol}//"`);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new Error(`${name}: expected no user name, password, query or fragment in it`);
  const ownPath = withoutTrailingSlash(url.pathname);
  url.pathname = ownPath.endsWith(path) ? ownPath : ownPath + path;
  return url;
}

/** 100.64.0.0/10 counts as public: a carrier shares it between customers who do not know each other (RFC 6598). */
function reachOfIPv4([first, second]: number[]): Reach {
  if (first === 127) return 'loopback';
  const isPrivate =
    first === 10 ||
    (first === 172 && second! >= 16 && second! <= 31) ||
    (first === 192 && second === 168) ||
    (first === 169 && second === 254);
  return isPrivate ? 'private' : 'public';
}

/** Takes the compressed lower-case form that the URL parser writes. */
function reachOfIPv6(text: string): Reach {
  if (text === '::1') return 'loopback';
  const mapped = /^::ffff:([\da-f]+):[\da-f]+$/.exec(text);
  if (mapped) {
    const upper = Number.parseInt(mapped[1]!, 16);
    return reachOfIPv4([upper >> 8, upper & 0xff]);
  }
  const first = Number.parseInt(text, 16);
  const isUniqueLocal = (first & 0xfe00) === 0xfc00;
  const isLinkLocal = (first & 0xffc0) === 0xfe80;
  return isUniqueLocal || isLinkLocal ? 'private' : 'public';
}
