import { useEffect, useState } from 'preact/hooks';
import { ContactPhones } from './contact-card.tsx';
import { type Contact, contacts } from './contacts.ts';

/** A record that calls are logged on; its address is `#/tickets/<id>`. */
interface Ticket {
  id: string;
  subject: string;
  contact: Contact;
}

const firstTicket = 4711;
const refreshMs = 1000;

/** One for each contact. */
export const tickets: readonly Ticket[] = contacts.map((contact, index) => ({
  id: String(firstTicket + index),
  subject: contact.orders[0]?.what ?? 'First order',
  contact,
}));

export function Tickets({ id }: { id: string }) {
  const ticket = tickets.find((one) => one.id === id) ?? tickets[0]!;
  const { contact, subject } = ticket;
  return (
    <>
      <section class="list" aria-label="Tickets">
        <ul>
          {tickets.map((one) => (
            <li key={one.id} class={one.id === ticket.id ? 'row selected' : 'row'}>
              <span class="row-text">
                <a href={`#/tickets/${one.id}`} aria-current={one.id === ticket.id ? 'true' : undefined}>
                  {one.subject}
                </a>
                <span class="quiet">{one.contact.name}</span>
              </span>
            </li>
          ))}
        </ul>
      </section>
      <main class="card" key={ticket.id}>
        <header class="card-head">
          <div>
            <h1>{subject}</h1>
            <p class="quiet">
              Ticket {ticket.id} · {contact.name}, {contact.company}
            </p>
          </div>
        </header>
        <ContactPhones contact={contact} />
        <section aria-labelledby="entries">
          <h2 id="entries">Calls on this ticket</h2>
          <CallEntries ticket={ticket.id} />
        </section>
      </main>
    </>
  );
}

/** What the relay has logged here. */
function CallEntries({ ticket }: { ticket: string }) {
  const [entries, setEntries] = useState<readonly string[]>([]);
  useEffect(() => {
    const read = async () => {
      const response = await fetch(`/crm/entries/${ticket}`);
      if (response.ok) setEntries((await response.json()) as string[]);
    };
    const readAgain = () => void read().catch(() => {});
    readAgain();
    const timer = setInterval(readAgain, refreshMs);
    return () => clearInterval(timer);
  }, [ticket]);
  if (entries.length === 0) return <p class="empty">A call from this page is logged here once it is over.</p>;
  return (
    <ul class="entries">
      {entries.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
