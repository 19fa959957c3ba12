import { useEffect, useState } from 'preact/hooks';
import { CallPanel } from './call-panel.tsx';
import { ContactCard } from './contact-card.tsx';
import { contacts } from './contacts.ts';
import { RecordList } from './record-list.tsx';
import { TestLines } from './test-lines.tsx';
import { Tickets } from './tickets.tsx';

const places = { contacts: 'Contacts', tickets: 'Tickets', 'test-lines': 'Test lines' } as const;
type View = keyof typeof places;

/** The page's address: `#/contacts/<id>`, `#/tickets/<id>` or `#/test-lines`. */
function readRoute(): { view: View; id: string } {
  const [view = '', id = ''] = location.hash.replace(/^#\/?/, '').split('/');
  return { view: Object.hasOwn(places, view) ? (view as View) : 'contacts', id };
}

export function App() {
  const [{ view, id }, setRoute] = useState(readRoute);
  useEffect(() => {
    const follow = () => setRoute(readRoute());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return (
    <div class="shell">
      <nav class="navigation" aria-label="Main">
        <p class="brand">Harbor</p>
        {Object.entries(places).map(([place, label]) => (
          <a key={place} href={`#/${place}`} aria-current={place === view ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      {view === 'contacts' && <Contacts id={id} />}
      {view === 'tickets' && <Tickets id={id} />}
      {view === 'test-lines' && <TestLines />}
      <aside class="side" aria-label="Calls">
        <CallPanel />
      </aside>
    </div>
  );
}

function Contacts({ id }: { id: string }) {
  const selected = contacts.find((contact) => contact.id === id) ?? contacts[0]!;
  const rows = contacts.map(({ id, name, company, phones }) => ({
    id,
    title: name,
    detail: company,
    phone: phones[0]!.number,
  }));
  return (
    <>
      <RecordList label="Contacts" view="contacts" rows={rows} selected={selected.id} />
      <ContactCard contact={selected} />
    </>
  );
}
