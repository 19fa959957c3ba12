/**
 * Tickets, which a site's backend gives to its widget. They are signed and short-lived, so the relay does not store
 * them (Law 5).
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod/mini';
import { rights } from '../../shared/protocol/messages.ts';
import { RecordKey } from '../../shared/record/template.ts';
import type { Signer } from './signer.ts';

const Claims = z.object({
  site: z.string(),
  from: z.string(),
  rights: z.array(z.enum(rights)),
  record: z.optional(RecordKey),
  /** Milliseconds since 1970. */
  expires: z.int(),
});
type TicketClaims = z.infer<typeof Claims>;

const prefix = 'dmt_';

export function makeTicket(signer: Signer, claims: TicketClaims): string {
  // The nonce keeps two tickets of the same second apart.
  const text = JSON.stringify({ ...claims, nonce: randomBytes(9).toString('base64url') });
  return prefix + signer.sign('ticket', Buffer.from(text).toString('base64url'));
}

export function isTicket(credential: string): boolean {
  return credential.startsWith(prefix);
}

/** @returns the claims, expired or not; undefined where the ticket is forged. */
export function openTicket(signer: Signer, ticket: string): TicketClaims | undefined {
  const text = signer.verify('ticket', ticket.slice(prefix.length));
  if (text === undefined) return undefined;
  const parsed = Claims.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  return parsed.success ? parsed.data : undefined;
}
