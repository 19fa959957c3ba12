/** Who sends a request, from `Authorization: Bearer` alone, and what they may do. */
import type { FastifyRequest } from 'fastify';
import type { RecordKey } from '../../shared/record/template.ts';
import { readBearerToken } from '../../shared/server/bearer-token.ts';
import { ProblemError } from '../problem.ts';
import type { KeyRight } from '../store/stored-key.ts';
import { isApiKey } from './api-key.ts';
import type { ApiKeyCache } from './api-key-cache.ts';
import type { Signer } from './signer.ts';
import { isTicket, openTicket } from './ticket.ts';
import type { CallParts } from './visible-call.ts';

export interface Principal {
  kind: 'agent' | 'site' | 'ticket';
  /** The id of the key, or of the site key behind the ticket. Revoking that key revokes the principal. */
  keyId: string;
  /** The name of the person or site that has the key. It may be empty. */
  name: string;
  team?: string | undefined;
  rights: readonly KeyRight[];
  /** The callers' codes it may act for, and whose channels it may read. */
  callers: readonly string[];
  mayWatch: boolean;
  mayDial: boolean;
  mayHangUp: boolean;
  /** What of a Call it may read besides the call itself. With `wrapUp`, it may also change the wrap-up. */
  sees: CallParts;
  /** The record that every call of a ticket is about. */
  record?: RecordKey | undefined;
  /** May announce calls that its client places itself, and report on them. */
  mayAnnounce: boolean;
  /** Milliseconds since 1970; absent for keys without an end. */
  expires?: number;
}

export interface Access {
  signer: Signer;
  keys: ApiKeyCache;
  /** Whether the team's rules make browsers remove their notes if a key was revoked. */
  removesNotes(team: string | undefined): boolean;
}

/** @throws ProblemError 401 without a valid credential, 403 for a ticket on a page that it was not made for. */
export async function authenticate(request: FastifyRequest, access: Access): Promise<Principal> {
  const credential = readBearerToken(request.headers.authorization);
  if (credential === undefined)
    throw new ProblemError('unauthorized', {
      detail: 'Send a key or a ticket in the Authorization header: Bearer, a blank, and the key.',
    });
  const principal = isTicket(credential)
    ? fromTicket(credential, request.headers.origin, access)
    : await fromKey(credential, access);
  if (!principal)
    throw new ProblemError('unauthorized', {
      detail: 'This key or ticket is not known, or it was revoked.',
      ...((await mustRemoveNotes(credential, access)) ? { removeNotes: true } : {}),
    });
  return principal;
}

async function mustRemoveNotes(credential: string, { keys, removesNotes }: Access): Promise<boolean> {
  const revoked = isApiKey(credential) ? await keys.findRevoked(credential) : undefined;
  return revoked !== undefined && removesNotes(revoked.team);
}

async function fromKey(credential: string, access: Access): Promise<Principal | undefined> {
  if (!isApiKey(credential)) return undefined;
  const key = await access.keys.find(credential);
  if (!key) return undefined;
  const agent = key.kind === 'agent';
  const { id: keyId, kind, callers, name, team, rights = [], expiresAt } = key;
  const mayAnnounce = agent && key.clientCalls === true;
  return {
    kind,
    keyId,
    name,
    team,
    rights,
    callers,
    mayWatch: agent,
    mayDial: agent,
    mayHangUp: agent,
    sees: { record: agent, wrapUp: agent, names: agent },
    mayAnnounce,
    ...(expiresAt === undefined ? {} : { expires: Date.parse(expiresAt) }),
  };
}

function fromTicket(credential: string, origin: string | undefined, access: Access): Principal | undefined {
  const claims = openTicket(access.signer, credential);
  if (!claims) return undefined;
  const site = access.keys.site(claims.site);
  // The site may have lost this caller since the ticket was made.
  if (!site?.callers.includes(claims.from)) return undefined;
  if (claims.expires <= Date.now())
    throw new ProblemError('ticketExpired', { detail: 'Ask the site for a new ticket.' });
  if (origin !== undefined && /^https?:/i.test(origin) && !site.origins.includes(origin))
    throw new ProblemError('forbidden', { detail: 'This ticket was made for another site.' });
  return {
    kind: 'ticket',
    keyId: site.id,
    name: site.name,
    rights: [],
    callers: [claims.from],
    mayWatch: claims.rights.includes('watch'),
    mayDial: claims.rights.includes('dial'),
    mayHangUp: claims.rights.includes('hangup'),
    sees: {
      record: claims.rights.includes('record'),
      wrapUp: claims.rights.includes('wrapUp'),
      names: claims.rights.includes('names'),
    },
    record: claims.record,
    mayAnnounce: false,
    expires: claims.expires,
  };
}

/** @param detail what a request needs that is not allowed. @throws ProblemError 403. */
export function requireRight(isAllowed: boolean, detail: string): void {
  if (!isAllowed) throw new ProblemError('forbidden', { detail });
}

export function requireWatch({ mayWatch }: Principal): void {
  requireRight(mayWatch, 'Following calls needs an agent key, or a ticket with the right "watch".');
}
