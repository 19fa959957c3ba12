/** Bearer tokens (RFC 6750): read from a request, kept as a hash, compared in constant time. */
import { hash, timingSafeEqual } from 'node:crypto';

/** @returns the credential, at most 2048 visible ASCII characters; undefined for any other header. */
export function readBearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([\x21-\x7e]{1,2048})$/i.exec(authorization ?? '')?.[1];
}

/** A plain hash is enough for a token that is random, not chosen by a person. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** True where the header carries this very token. */
export function carriesToken(authorization: string | undefined, token: string): boolean {
  const [, given] = /^Bearer +(.+)$/i.exec(authorization ?? '') ?? [];
  return given !== undefined && isSameSecret(given, token);
}

/** Compares without revealing by its time where two secrets differ, nor how long they are. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(hashToken(given)), Buffer.from(hashToken(expected)));
}
