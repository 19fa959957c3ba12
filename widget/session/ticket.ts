/**
 * Tickets, which are short-lived. The relay makes them for the site's back-end, which gives them to this page. Their
 * claims only show when to renew, which stream to share, and whether to offer a hang-up. The relay decides whether a
 * ticket is valid.
 */
import { privateRequest } from '../../shared/private-request.ts';
import { WidgetError } from '../widget-error.ts';

export interface HeldTicket {
  text: string;
  /** Milliseconds since 1970; absent if the ticket has no readable claims. */
  expires?: number;
  /**
   * The ticket's site, agent and rights, which are the same for all its successors. Widgets with the same subject share
   * a stream.
   */
  subject: string;
  /** False if the ticket's claims lack the right to hang up. */
  mayHangUp: boolean;
}

/** The source of tickets: an address of this site, or a function of the page. */
export type TicketSource = string | (() => Promise<string>);

/**
 * Returns the current ticket while it is fresh, else a new one. Simultaneous callers share one request.
 * @throws WidgetError
 */
export type TicketSupplier = (isCurrentRejected?: boolean) => Promise<HeldTicket>;

const timeoutMs = 15_000;
/** How long before its end a ticket is renewed, or at nine tenths of its life if that is later. */
const marginMs = 30_000;

export function ticketSupplier(source: TicketSource): TicketSupplier {
  let current: HeldTicket | undefined;
  let renewAt = 0;
  let pending: Promise<HeldTicket> | undefined;

  const renew = async () => {
    current = readTicket(await (typeof source === 'string' ? fetchTicket(source) : callPage(source)));
    const life = (current.expires ?? 0) - Date.now();
    // If the clock is wrong, every ticket looks expired. Then only the relay's 401 causes a renewal.
    renewAt = life > 0 ? Date.now() + Math.max(life - marginMs, life * 0.9) : Number.POSITIVE_INFINITY;
    return current;
  };

  return async (isCurrentRejected) => {
    if (current && !isCurrentRejected && Date.now() < renewAt) return current;
    pending ??= renew().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}

/** Reads `dmt_KEY.CLAIMS.MAC`, in which CLAIMS is base64url JSON. Of any other text, the subject is the text itself. */
export function readTicket(text: string): HeldTicket {
  try {
    const claims = JSON.parse(atob(text.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/')));
    return {
      text,
      subject: JSON.stringify([claims.site, claims.from, claims.rights]),
      expires: Number(claims.expires),
      mayHangUp: claims.rights?.includes('hangup') ?? true,
    };
  } catch {
    return { text, subject: text, mayHangUp: true };
  }
}

/** Sends a request to the relay. The ticket is all that it contains of this page. */
export function fetchWithTicket(ticket: HeldTicket, url: string, more: RequestInit = {}): Promise<Response> {
  return fetch(url, {
    ...more,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${ticket.text}`,
      ...more.headers,
    },
    signal: AbortSignal.any([AbortSignal.timeout(timeoutMs)].concat(more.signal ?? [])),
    ...privateRequest,
  });
}

async function fetchTicket(address: string): Promise<string> {
  if (!URL.canParse(address, document.baseURI) || new URL(address, document.baseURI).origin !== origin)
    throw new WidgetError('setUp', 'ticket-url: not of this site');
  let status = 'no answer';
  try {
    const response = await fetch(address, { cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) });
    status = `HTTP ${response.status}`;
    const { ticket, code = '' } = await response.json();
    if (response.ok) return checkTicket(ticket);
    // For example callerNotYours, if the site forwards the relay's code.
    status = `${status} ${code}`.trim();
  } catch {
    // There is no connection, or the reply is not JSON: most likely a login page.
  }
  throw new WidgetError(/ 40[13]/.test(status) ? 'signedOut' : 'unavailable', `ticket-url: ${status}`);
}

async function callPage(getTicket: () => Promise<string>): Promise<string> {
  try {
    const timeout = new Promise((resolve) => setTimeout(resolve, timeoutMs));
    return checkTicket(await Promise.race([getTicket(), timeout]));
  } catch (error) {
    throw new WidgetError('unavailable', `getTicket: ${error}`);
  }
}

/** @throws TypeError for a text that a header cannot contain. */
function checkTicket(ticket: unknown): string {
  if (typeof ticket === 'string' && /^[\x21-\x7e]+$/.test(ticket)) return ticket;
  throw new TypeError('not a ticket');
}
