/**
 * Signs with the relay's secrets. Each purpose has a derived key of its own, so that a ticket never passes as a
 * capability URL. Signed text names its secret by a short id. With `current,previous`, text that the previous secret
 * signed stays valid.
 */
import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

type Purpose = 'notification' | 'ticket';

/** How many characters of HMAC-SHA-256 as base64url are kept: 192 bits. */
const macLength = 32;

interface SigningKey {
  id: string;
  byPurpose: Record<Purpose, KeyObject>;
}

export class Signer {
  private readonly keys: readonly SigningKey[];

  /** @param secrets current first, at least one, each of 32 characters or more. */
  constructor(secrets: readonly string[]) {
    this.keys = secrets.map((secret) => ({
      id: createHash('sha256').update(`dialmark key id\0${secret}`).digest('base64url').slice(0, 6),
      byPurpose: { notification: derive(secret, 'notification'), ticket: derive(secret, 'ticket') },
    }));
  }

  /** @returns `KEYID.text.MAC`. @param text of [A-Za-z0-9_.-]. */
  sign(purpose: Purpose, text: string): string {
    const key = this.keys[0]!;
    return `${key.id}.${text}.${mac(key, purpose, text)}`;
  }

  /** @returns the text that was signed; undefined where anything is wrong. The comparison takes constant time. */
  verify(purpose: Purpose, signed: string): string | undefined {
    const first = signed.indexOf('.');
    const last = signed.lastIndexOf('.');
    if (first < 0 || last <= first) return undefined;
    const key = this.keys.find(({ id }) => id === signed.slice(0, first)) ?? this.keys[0]!;
    const text = signed.slice(first + 1, last);
    // Compared as text: decoding would ignore the unused bits of the last character.
    const given = Buffer.from(signed.slice(last + 1));
    const wanted = Buffer.from(mac(key, purpose, text));
    const same = given.length === wanted.length && timingSafeEqual(given, wanted);
    return same && key.id === signed.slice(0, first) ? text : undefined;
  }
}

function derive(secret: string, purpose: Purpose): KeyObject {
  return createSecretKey(createHmac('sha256', secret).update(`dialmark v1 ${purpose}`).digest());
}

function mac(key: SigningKey, purpose: Purpose, text: string): string {
  return createHmac('sha256', key.byPurpose[purpose])
    .update(`${key.id}.${text}`)
    .digest('base64url')
    .slice(0, macLength);
}
