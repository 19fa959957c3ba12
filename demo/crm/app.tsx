import { useEffect, useState } from 'preact/hooks';
import { CallPanel } from './call-panel.tsx';
import { ContactCard } from './contact-card.tsx';
import { ContactList } from './contact-list.tsx';
import { contacts } from './contacts.ts';
import mark from './harbor.svg?no-inline';
import { CrmIcon, type CrmIconName } from './icon.tsx';
import { TestLines } from './test-lines.tsx';
import { Tickets, tickets } from './tickets.tsx';

/** The page's address: `#/contacts/<id>`, `#/tickets/<id>` or `#/test-lines`. */
function readRoute(): { view: string; id: string } {
  const parts = location.hash.replace(/^#\/?/, '').split('/').filter(Boolean);
  const [view = 'contacts', id = contacts[0]!.id] = parts;
  return { view, id };
}

function useRoute(): { view: string; id: string } {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const follow = () => setRoute(readRoute());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return route;
}

export function App() {
  const { view, id } = useRoute();
  const contact = contacts.find((one) => one.id === id) ?? contacts[0]!;
  return (
    <div class="shell">
      <Navigation view={view} />
      <Topbar />
      {view === 'test-lines' && <TestLines />}
      {view === 'tickets' && <Tickets id={id} />}
      {view !== 'test-lines' && view !== 'tickets' && (
        <>
          <ContactList selected={contact.id} />
          <ContactCard contact={contact} />
        </>
      )}
      <aside class="side" aria-label="Calls">
        <CallPanel />
      </aside>
    </div>
  );
}

const places: { view: string; icon: CrmIconName; label: string; count?: string }[] = [
  { view: 'contacts', icon: 'people', label: 'Contacts', count: String(contacts.length) },
  { view: 'tickets', icon: 'ticket', label: 'Tickets', count: String(tickets.length) },
  { view: 'test-lines', icon: 'flask', label: 'Test lines' },
];

function Navigation({ view }: { view: string }) {
  const known = places.some((place) => place.view === view) ? view : 'contacts';
  return (
    <nav class="navigation" aria-label="Main">
      <div class="brand">
        <img src={mark} alt="" width="28" height="28" />
        Harbor
      </div>
      <ul>
        {places.map((place) => (
          <li key={place.view}>
            <a href={`#/${place.view}`} aria-current={place.view === known ? 'page' : undefined}>
              <CrmIcon name={place.icon} />
              <span>{place.label}</span>
              {place.count && <span class="count">{place.count}</span>}
            </a>
          </li>
        ))}
      </ul>
      <Quarter />
      <div class="me">
        <span class="avatar hue-2" aria-hidden="true">
          LC
        </span>
        <span>
          Lia Campos
          <small>Extension 1105</small>
        </span>
      </div>
    </nav>
  );
}

/** Figures that are not phone numbers, as in every CRM. */
function Quarter() {
  return (
    <dl class="quarter">
      <div>
        <dt>Won this quarter</dt>
        <dd>R$ 184.220,00</dd>
      </div>
      <div>
        <dt>Open offers</dt>
        <dd>27 · € 61.480,50</dd>
      </div>
      <div>
        <dt>Closes on</dt>
        <dd>31/12/2026</dd>
      </div>
    </dl>
  );
}

function Topbar() {
  return (
    <header class="topbar">
      <p class="path">
        <span>Sales</span>
        <span aria-hidden="true">/</span>
        <strong>Brazil &amp; export</strong>
      </p>
      <p class="on-call">
        <CrmIcon name="headset" />
        Support line <span class="on-call-number">+55 11 3350-4177</span>
      </p>
    </header>
  );
}
