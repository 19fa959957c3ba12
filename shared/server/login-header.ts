/** The login in an address, which undici drops. */
import querystring from 'node:querystring';

/** @returns a header; an empty object if the address has no login. */
export function loginHeader(address: string): { authorization?: string } {
  const { username, password } = new URL(address);
  if (username + password === '') return {};
  const login = [username, password].map((part) => querystring.unescape(part)).join(':');
  return { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
}
