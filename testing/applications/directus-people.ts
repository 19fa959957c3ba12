/** Fills Directus with people and with views of them, by its REST interface. */
import { people } from './people.ts';

export type View = 'table' | 'cards' | 'board' | 'contact' | 'company' | 'companies' | 'dashboard';

const field = (name: string, kind = 'input') => ({
  field: name,
  type: 'string',
  schema: {},
  meta: { interface: kind },
});
const id = {
  field: 'id',
  type: 'integer',
  schema: { is_primary_key: true, has_auto_increment: true },
  meta: { hidden: true },
};
const companyPhones = ['+55 48 3322-4466', '(48) 3351-9015', '(11) 3020-4411'];

/** Twenty contacts. The first ones have the phones of `people`. */
export const contacts = Array.from({ length: 20 }, (_, place) => {
  const person = people[place % people.length]!;
  return {
    name: person.name,
    phone: place < people.length ? person.phone : `(48) 33${22 + place}-${4000 + place * 37}`,
    order_no: `45000123${10 + place}`,
    tax_id: person.taxId,
    since: person.since.replace(' ', 'T'),
    notes: `Ligar 48 3244-10${10 + place} após 14h`,
    status: place % 2 ? 'lead' : 'client',
    company: 1 + (place % companyPhones.length),
  };
});

const phonesOf = (some: readonly { phone: string }[]) => some.map(({ phone }) => phone);
const noteOf = ({ notes }: { notes: string }) => notes.replace(/^Ligar | após 14h$/g, '');

/** The numbers that each view shows. */
export const shownPhones: Readonly<Record<View, readonly string[]>> = {
  table: [...phonesOf(contacts), ...contacts.map(noteOf)],
  cards: phonesOf(contacts),
  board: phonesOf(contacts),
  contact: [contacts[0]!.phone, noteOf(contacts[0]!), companyPhones[0]!],
  company: [companyPhones[0]!, ...phonesOf(contacts.filter(({ company }) => company === 1))],
  companies: companyPhones,
  dashboard: phonesOf(contacts),
};

/** @returns the path of each view, below the path of the application's pages. */
export async function fillDirectus(
  origin: string,
  login: { email: string; password: string },
): Promise<Record<View, string>> {
  let token = '';
  // biome-ignore lint/suspicious/noExplicitAny: each answer has a form of its own.
  const ask = async (method: string, page: string, body: unknown): Promise<any> => {
    const response = await fetch(origin + page, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Directus: ${method} ${page}: ${response.status} ${text}`);
    return JSON.parse(text).data;
  };
  token = (await ask('POST', '/auth/login', login)).access_token;
  await addCollections(ask);
  const preset = async (layout: string, options: object, fields: string[] = []) => {
    const preset = { bookmark: layout, collection: 'contacts', layout };
    const query = { [layout]: { fields, limit: 100 } };
    const body = { ...preset, layout_options: { [layout]: options }, layout_query: query };
    return `content/contacts?bookmark=${(await ask('POST', '/presets', body)).id}`;
  };
  const columns = ['name', 'phone', 'order_no', 'tax_id', 'since', 'notes'];
  const dashboard = (await ask('POST', '/dashboards', { name: 'Ligações' })).id;
  await ask('POST', '/panels', {
    ...{ dashboard, name: 'Contatos', type: 'list', show_header: true },
    ...{ position_x: 1, position_y: 1, width: 24, height: 30 },
    options: { collection: 'contacts', displayTemplate: '{{name}} {{phone}}', limit: 20 },
  });
  return {
    table: await preset('tabular', {}, columns),
    cards: await preset('cards', { title: '{{name}}', subtitle: '{{phone}} · {{order_no}}' }),
    board: await preset('kanban', { groupField: 'status', titleField: 'name', textField: 'phone' }),
    contact: 'content/contacts/1',
    company: 'content/companies/1',
    companies: 'content/companies',
    dashboard: `insights/${dashboard}`,
  };
}

async function addCollections(ask: (method: string, page: string, body: unknown) => Promise<unknown>) {
  const toCompany = { template: '{{name}} · {{phone}}' };
  const states = [
    { text: 'Lead', value: 'lead' },
    { text: 'Cliente', value: 'client' },
  ];
  await ask('POST', '/collections', {
    collection: 'companies',
    schema: {},
    fields: [id, field('name'), field('phone'), field('tax_id')],
  });
  await ask('POST', '/collections', {
    collection: 'contacts',
    schema: {},
    fields: [
      ...[id, field('name'), field('phone'), field('order_no'), field('tax_id')],
      { ...field('since', 'datetime'), type: 'dateTime' },
      { ...field('notes', 'input-multiline'), type: 'text' },
      { ...field('status'), meta: { interface: 'select-dropdown', options: { choices: states } } },
      {
        ...field('company'),
        type: 'integer',
        meta: { interface: 'select-dropdown-m2o', special: ['m2o'], options: toCompany },
      },
    ],
  });
  await ask('POST', '/relations', {
    collection: 'contacts',
    field: 'company',
    related_collection: 'companies',
    meta: { one_field: 'people' },
  });
  await ask('POST', '/fields/companies', {
    field: 'people',
    type: 'alias',
    meta: { interface: 'list-o2m', special: ['o2m'], options: { template: '{{name}} {{phone}}' } },
  });
  const companies = companyPhones.map((phone, place) => ({
    name: people[place]!.mail.replace(/^.*@|\..*$/g, ''),
    phone,
    tax_id: people[0]!.taxId,
  }));
  await ask('POST', '/items/companies', companies);
  await ask('POST', '/items/contacts', contacts);
}
