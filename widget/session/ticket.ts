/**
 * Tickets (design 4 and 5): short-lived, made by the relay for the site's back-end, handed to this page. What is written in
 * one is read only to know when to renew and what it is for; whether it is good is the relay's to judge.
 */
import { WidgetError } from '../widget-error.ts';

export interface Ticket {
  text: string;
  /** Milliseconds since 1970; absent where the ticket does not tell. */
  expires?: number;
  /** What it is for, the same for every ticket of one agent at one site: streams are shared by it. */
  subject: string;
}

/** Where tickets come from: an address of this site, or a function of the page. */
export type TicketSource = string | (() => Promise<string>);

/** The kept ticket while it is fresh, else a new one; one request however many ask. @throws WidgetError */
export type TicketKeeper = (keptOneWasRefused?: boolean) => Promise<Ticket>;

const answerLimitMs = 15_000;
/** Renewed this long before it expires, or at nine tenths of its life where that is later. */
const marginMs = 30_000;

export function keepTicket(source: TicketSource): TicketKeeper {
  let kept: Ticket | undefined;
  let renewAt = 0;
  let asking: Promise<Ticket> | undefined;

  const ask = async () => {
    kept = readTicket(await (typeof source === 'string' ? fetchTicket(source) : callPage(source)));
    const life = (kept.expires ?? 0) - Date.now();
    // A clock that is wrong here makes every ticket look expired: then only the relay's 401 says so.
    renewAt = life > 0 ? Date.now() + Math.max(life - marginMs, life * 0.9) : Number.POSITIVE_INFINITY;
    return kept;
  };

  return async (keptOneWasRefused) => {
    if (kept && !keptOneWasRefused && Date.now() < renewAt) return kept;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

/** `dmt_KEY.CLAIMS.MAC`, claims being base64url JSON. Any other text is a ticket that is for itself alone. */
export function readTicket(text: string): Ticket {
  try {
    const claims = JSON.parse(atob(text.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/')));
    return {
      text,
      subject: JSON.stringify([claims.site, claims.from, claims.rights]),
      expires: Number(claims.expires),
    };
  } catch {
    return { text, subject: text };
  }
}

/** A request to the relay, with nothing of this page in it but the ticket. */
export function withTicket(
  ticket: Ticket,
  url: string,
  signal: AbortSignal,
  more?: RequestInit,
): Promise<Response> {
  return fetch(url, {
    ...more,
    headers: { accept: 'application/json', authorization: `Bearer ${ticket.text}`, ...more?.headers },
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerLimitMs)]),
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
  });
}

async function fetchTicket(address: string): Promise<string> {
  const url = new URL(address, document.baseURI);
  if (url.origin !== origin) throw new WidgetError('setUp', 'ticket-url: expected an address of this site');
  let status = 0;
  try {
    const response = await fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(answerLimitMs) });
    status = response.status;
    if (response.ok) return checked((await response.json()).ticket);
  } catch {
    // No connection, or not JSON: a login page, most likely.
  }
  throw new WidgetError(
    status === 401 || status === 403 ? 'signedOut' : 'unavailable',
    `ticket-url: HTTP ${status}`,
  );
}

async function callPage(getTicket: () => Promise<string>): Promise<string> {
  try {
    return checked(await getTicket());
  } catch (error) {
    throw new WidgetError('unavailable', `getTicket: ${error}`);
  }
}

/** Nothing that could not stand in a header. */
function checked(ticket: unknown): string {
  if (typeof ticket === 'string' && /^[\x21-\x7e]+$/.test(ticket)) return ticket;
  throw new TypeError('not a ticket');
}
