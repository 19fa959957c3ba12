import type { Contact } from './contacts.ts';

export function ContactCard({ contact }: { contact: Contact }) {
  return (
    <main class="card" key={contact.id}>
      <header class="card-head">
        <h1>{contact.name}</h1>
        <p class="quiet">
          {contact.role} · {contact.company} · {contact.place}
        </p>
        <span class="state">{contact.stage}</span>
      </header>

      <ContactPhones contact={contact} />

      <section aria-labelledby="note">
        <h2 id="note">Note</h2>
        <p class="note">{contact.note}</p>
      </section>

      <section aria-labelledby="details">
        <h2 id="details">Details</h2>
        <dl class="facts">
          {contact.facts.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>

      <section aria-labelledby="orders">
        <h2 id="orders">Orders</h2>
        <Orders orders={contact.orders} />
      </section>
    </main>
  );
}

export function ContactPhones({ contact }: { contact: Contact }) {
  return (
    <section aria-labelledby="reach">
      <h2 id="reach">Reach</h2>
      <dl class="phones">
        {contact.phones.map(({ label, number, link }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{link ? <a href={link}>{number}</a> : number}</dd>
          </div>
        ))}
        <div>
          <dt>E-mail</dt>
          <dd>{contact.email}</dd>
        </div>
      </dl>
    </section>
  );
}

function Orders({ orders }: Pick<Contact, 'orders'>) {
  if (orders.length === 0) return <p class="empty">No orders yet.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Order</th>
          <th scope="col">Date</th>
          <th scope="col">What</th>
          <th scope="col" class="figure">
            Total
          </th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <tr key={order.id}>
            <td>{order.id}</td>
            <td>{order.date}</td>
            <td>{order.what}</td>
            <td class="figure">{order.total}</td>
            <td>
              <span class="state">{order.state}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
