/**
 * Signatures of Standard Webhooks 1.0, symmetric (`v1`): who has the secret can verify that a delivery is
 * ours and unchanged.
 */
import { createHmac } from 'node:crypto';

const secretPrefix = 'whsec_';
const [minBytes, maxBytes] = [24, 64];

/** @returns the key. @throws Error where this is not `whsec_` and base64 of 24 to 64 bytes. */
export function readWebhookSecret(text: string): Buffer {
  const encoded = text.startsWith(secretPrefix) ? text.slice(secretPrefix.length) : '';
  const key = Buffer.from(encoded, 'base64');
  // Buffer skips what is not base64, so the text must survive the round trip.
  const isWhole = key.toString('base64').replace(/=+$/, '') === encoded.replace(/=+$/, '');
  if (!isWhole || key.length < minBytes || key.length > maxBytes)
    throw new Error('expected whsec_ and base64 of 24 to 64 bytes');
  return key;
}

/** The current secret, then earlier ones. @throws Error if a secret is not valid, or there are too many. */
export function readWebhookSecrets(text: string): Buffer[] {
  const parts = text.split(',');
  if (parts.length > 4) throw new Error('expected 4 secrets at most: current, or current,previous');
  return parts.map((part) => readWebhookSecret(part.trim()));
}

/**
 * @param id the same for every attempt at one event. It does not contain `.`, which separates the signed parts.
 * @param at milliseconds since 1970, of this attempt.
 * @returns the headers of Standard Webhooks; one signature per secret, so that a receiver may rotate its own at any
 * time.
 */
export function signedHeaders(
  id: string,
  at: number,
  body: string,
  secrets: readonly Buffer[],
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const signatures = secrets.map((secret) => {
    const code = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
    return `v1,${code}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
