/** The sessions of this page: widgets that follow the same calls share one, and ask for one ticket between them. */
import { type Notify, openSession, type Session } from './session.ts';
import { keepTicket, type TicketKeeper, type TicketSource } from './ticket.ts';

export interface Shared {
  relay: string;
  source: TicketSource;
  tickets: TicketKeeper;
  session: Session;
  members: Set<Notify>;
}

const shared = new Set<Shared>();

/** @param relay base address without a slash at its end. */
export function joinSession(relay: string, source: TicketSource, member: Notify): Shared {
  let joined = [...shared].find((each) => each.relay === relay && each.source === source);
  if (!joined) {
    const tickets = keepTicket(source);
    const members = new Set<Notify>();
    const session = openSession(relay, tickets, (...news) => {
      for (const each of members) each(...news);
    });
    joined = { relay, source, tickets, session, members };
    shared.add(joined);
  }
  joined.members.add(member);
  return joined;
}

export function leaveSession(joined: Shared, member: Notify): void {
  joined.members.delete(member);
  if (joined.members.size === 0 && shared.delete(joined)) joined.session.close();
}
