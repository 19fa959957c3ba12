/** The sessions of this page. Widgets that follow the same calls share one session and its tickets. */
import { type Notify, WidgetSession } from './session.ts';
import { type TicketSource, type TicketSupplier, ticketSupplier } from './ticket.ts';

export interface SharedSession {
  relay: string;
  source: TicketSource;
  getTicket: TicketSupplier;
  session: WidgetSession;
  members: Set<Notify>;
}

const shared = new Set<SharedSession>();

/** @param relay base address without a slash at its end. */
export function joinSharedSession(relay: string, source: TicketSource, member: Notify): SharedSession {
  let joined = [...shared].find((each) => each.relay === relay && each.source === source);
  if (!joined) {
    const getTicket = ticketSupplier(source);
    const members = new Set<Notify>();
    const session = new WidgetSession(relay, getTicket, (...event) => {
      for (const notify of members) notify(...event);
    });
    joined = { relay, source, getTicket, session, members };
    shared.add(joined);
  }
  joined.members.add(member);
  return joined;
}

export function leaveSharedSession(joined: SharedSession, member: Notify): void {
  joined.members.delete(member);
  if (joined.members.size === 0 && shared.delete(joined)) joined.session.close();
}
