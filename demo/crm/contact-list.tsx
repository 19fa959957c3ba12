import { useState } from 'preact/hooks';
import { contacts } from './contacts.ts';
import { CrmIcon } from './icon.tsx';

export function ContactList({ selected }: { selected: string }) {
  const [search, setSearch] = useState('');
  const words = search.trim().toLowerCase();
  const found = contacts.filter(({ name, company, place }) =>
    `${name} ${company} ${place}`.toLowerCase().includes(words),
  );
  return (
    <section class="list" aria-label="Contacts">
      <label class="search">
        <CrmIcon name="search" />
        <input
          type="search"
          placeholder="Search contacts"
          aria-label="Search contacts"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      </label>
      <ul>
        {found.map((contact) => (
          <li key={contact.id} class={contact.id === selected ? 'row selected' : 'row'}>
            <span class={`avatar hue-${contact.hue}`} aria-hidden="true">
              {contact.initials}
            </span>
            <span class="row-text">
              <a
                href={`#/contacts/${contact.id}`}
                aria-current={contact.id === selected ? 'true' : undefined}
              >
                {contact.name}
              </a>
              <span class="quiet">{contact.company}</span>
              <span class="row-phone">{contact.phones[0]!.number}</span>
            </span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="empty">No contact matches “{search}”.</p>}
    </section>
  );
}
