import { useEffect, useState } from 'preact/hooks';
import { ContactPhones } from './contact-card.tsx';
import { type Contact, contacts } from './contacts.ts';
import { RecordList } from './record-list.tsx';

/** A record that calls are logged on; its address is `#/tickets/<id>`. */
interface Ticket {
  id: string;
  subject: string;
  contact: Contact;
}

const firstTicket = 4711;
const refreshMs = 1000;

/** One for each contact. */
const tickets: readonly Ticket[] = contacts.map((contact, index) => ({
  id: String(firstTicket + index),
  subject: contact.orders[0]?.what ?? 'First order',
  contact,
}));

const rows = tickets.map(({ id, subject, contact }) => ({ id, title: subject, detail: contact.name }));

export function Tickets({ id }: { id: string }) {
  const ticket = tickets.find((one) => one.id === id) ?? tickets[0]!;
  const { contact, subject } = ticket;
  return (
    <>
      <RecordList label="Tickets" view="tickets" rows={rows} selected={ticket.id} />
      <main class="card" key={ticket.id}>
        <header class="card-head">
          <h1>{subject}</h1>
          <p class="quiet">
            Ticket {ticket.id} · {contact.name}, {contact.company}
          </p>
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

/** The entries that the relay has logged on this ticket. */
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
