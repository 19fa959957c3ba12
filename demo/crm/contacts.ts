/**
 * The people of the demo. Their numbers stand in the many ways people write them, beside the dates, prices, order and tax
 * numbers that are none. German and British numbers are of the ranges set aside for fiction, American ones of 555-01XX.
 */
export interface Contact {
  id: string;
  name: string;
  initials: string;
  hue: 1 | 2 | 3 | 4 | 5 | 6;
  role: string;
  company: string;
  place: string;
  stage: 'Customer' | 'Offer sent' | 'New lead' | 'Renewal';
  phones: { label: string; number: string; link?: string }[];
  email: string;
  facts: [label: string, value: string][];
  orders: { id: string; date: string; what: string; total: string; state: 'Paid' | 'Open' | 'Shipped' }[];
  note: string;
}

export const contacts: readonly Contact[] = [
  {
    id: 'marina-duarte',
    name: 'Marina Duarte',
    initials: 'MD',
    hue: 1,
    role: 'Head of purchasing',
    company: 'Porto Azul Logística Ltda.',
    place: 'São Paulo, Brazil',
    stage: 'Customer',
    phones: [
      { label: 'Mobile', number: '(11) 98822-4177' },
      { label: 'Office', number: '+55 11 3350-4160', link: 'tel:+551133504160' },
      { label: 'Warehouse', number: '(48) 3322-4455' },
      { label: 'Switchboard', number: '0800 722 4100' },
    ],
    email: 'marina.duarte@portoazul.example',
    facts: [
      ['CPF', '529.982.247-25'],
      ['CNPJ', '11.222.333/0001-81'],
      ['CEP', '01310-100'],
      ['Customer since', '14/03/2021'],
      ['Credit limit', 'R$ 250.000,00'],
      ['Last NF-e', '000.184.220'],
    ],
    orders: [
      {
        id: 'ORD-2026-110745',
        date: '18/11/2026',
        what: '40 pallet scanners',
        total: 'R$ 12.480,00',
        state: 'Open',
      },
      {
        id: 'ORD-2026-108312',
        date: '02/10/2026',
        what: 'Service, 4th quarter',
        total: 'R$ 3.150,90',
        state: 'Paid',
      },
      {
        id: 'ORD-2026-101977',
        date: '21/07/2026',
        what: '12 dock printers',
        total: 'R$ 28.994,00',
        state: 'Shipped',
      },
    ],
    note: 'Prefers a call after 14:00. If the mobile is off, ask for Paulo at (11) 3456-7890 or 11 3350-4188, or leave word with the dock in Santos: +55 (13) 3219-6040. Quote 4500018823 is valid until 30/11/2026.',
  },
  {
    id: 'james-whitfield',
    name: 'James Whitfield',
    initials: 'JW',
    hue: 3,
    role: 'Operations director',
    company: 'Whitfield & Sons Freight',
    place: 'Boston, United States',
    stage: 'Offer sent',
    phones: [
      { label: 'Desk', number: '+1 (617) 555-0142' },
      { label: 'Mobile', number: '+1 617-555-0163', link: 'tel:+1-617-555-0163' },
      { label: 'Toll-free', number: '+1 800 555 0199' },
    ],
    email: 'j.whitfield@whitfieldfreight.example',
    facts: [
      ['EIN', '04-3298117'],
      ['ZIP', '02110-1301'],
      ['Customer since', '03/14/2023'],
      ['Offer', 'US$ 48,300.00'],
      ['PO number', '4500018823'],
      ['Tracking', '1Z 999 AA1 01 2345 6784'],
    ],
    orders: [
      {
        id: 'ORD-2026-110802',
        date: '11/20/2026',
        what: '150 handhelds',
        total: 'US$ 48,300.00',
        state: 'Open',
      },
      {
        id: 'ORD-2025-097204',
        date: '12/05/2025',
        what: 'Pilot, 10 handhelds',
        total: 'US$ 3,150.00',
        state: 'Paid',
      },
    ],
    note: 'Board decides on 12/02/2026. His assistant takes calls at +1 617.555.0118 ext. 24; after 5 pm use the yard, +1-617-555-0171. Serial 8005550143990 is under warranty.',
  },
  {
    id: 'katharina-vogel',
    name: 'Katharina Vogel',
    initials: 'KV',
    hue: 5,
    role: 'Einkauf',
    company: 'Vogel Feinmechanik GmbH',
    place: 'Hamburg, Germany',
    stage: 'Renewal',
    phones: [
      { label: 'Direct', number: '+49 40 66969-417' },
      { label: 'Mobile', number: '+49 176 04069 512', link: 'tel:+4917604069512' },
      { label: 'Head office', number: '+49 (0)40 66969 0' },
    ],
    email: 'k.vogel@vogel-fm.example',
    facts: [
      ['USt-IdNr.', 'DE 136 695 976'],
      ['IBAN', 'DE89 3704 0044 0532 0130 00'],
      ['PLZ', '20457'],
      ['Customer since', '14.03.2019'],
      ['Contract', '2026-0417-33'],
      ['Annual value', '€ 1.249,50'],
    ],
    orders: [
      { id: 'ORD-2026-109933', date: '05.11.2026', what: 'Wartung 2027', total: '€ 1.249,50', state: 'Open' },
      {
        id: 'ORD-2026-104410',
        date: '17.07.2026',
        what: '8 Messköpfe',
        total: '€ 9.980,00',
        state: 'Shipped',
      },
    ],
    note: 'Renewal runs from 01.01.2027 to 31.12.2027. Invoices: +49/40/66969-430. The plant in Munich answers at 0049 89 99998226.',
  },
  {
    id: 'oliver-bennett',
    name: 'Oliver Bennett',
    initials: 'OB',
    hue: 4,
    role: 'Founder',
    company: 'Bennett Marine Supplies',
    place: 'London, United Kingdom',
    stage: 'New lead',
    phones: [
      { label: 'Office', number: '+44 20 7946 0417' },
      { label: 'Warehouse', number: '+44 (0)161 496 0733', link: 'tel:+441614960733' },
      { label: 'Freephone', number: '+44 808 157 0417' },
    ],
    email: 'oliver@bennettmarine.example',
    facts: [
      ['VAT', 'GB 980 7806 84'],
      ['Company no.', '09412207'],
      ['Postcode', 'EC3N 4AB'],
      ['First contact', '19 November 2026'],
      ['Estimate', '£9,980.00'],
      ['Sort code', '20-00-00'],
    ],
    orders: [
      { id: 'ORD-2026-110811', date: '20/11/2026', what: 'Sample kit', total: '£149.00', state: 'Shipped' },
    ],
    note: 'Came through the fair, stand 2207. Accounts: 00 44 20 7946 0958. Wants prices per 1,000 and 10,000 pieces.',
  },
  {
    id: 'renata-okamoto',
    name: 'Renata Okamoto',
    initials: 'RO',
    hue: 6,
    role: 'IT manager',
    company: 'Clínica Serra do Mar',
    place: 'Curitiba, Brazil',
    stage: 'Customer',
    phones: [
      { label: 'Mobile', number: '+55 41 99122-8040', link: 'tel:+5541991228040' },
      { label: 'Clinic', number: '(41) 3350-2288' },
    ],
    email: 'renata@serradomar.example',
    facts: [
      ['CPF', '111.444.777-35'],
      ['CNPJ', '45.997.418/0001-53'],
      ['CEP', '80010-030'],
      ['Customer since', '09/08/2022'],
    ],
    orders: [
      { id: 'ORD-2026-110120', date: '09/11/2026', what: '6 headsets', total: 'R$ 1.794,00', state: 'Paid' },
    ],
    note: 'On-site visit on 25/11/2026 at 09:30, protocol 2026112500417. Reception: 041 3350 2200.',
  },
  {
    id: 'daniel-reyes',
    name: 'Daniel Reyes',
    initials: 'DR',
    hue: 2,
    role: 'Fleet manager',
    company: 'Lone Star Cold Chain',
    place: 'Austin, United States',
    stage: 'Customer',
    phones: [
      { label: 'Desk', number: '+1 512-555-0187 ext. 24' },
      { label: 'Mobile', number: '+1 512.555.0110' },
    ],
    email: 'dreyes@lonestarcc.example',
    facts: [
      ['EIN', '74-1186530'],
      ['ZIP', '78701'],
      ['Customer since', '08/09/2022'],
      ['Plan', 'Fleet 250'],
    ],
    orders: [
      {
        id: 'ORD-2026-109120',
        date: '10/28/2026',
        what: '25 trackers',
        total: 'US$ 6,225.00',
        state: 'Shipped',
      },
    ],
    note: 'Dispatch runs around the clock: (+1) 512 555 0125.',
  },
  {
    id: 'sabine-krueger',
    name: 'Sabine Krüger',
    initials: 'SK',
    hue: 1,
    role: 'Geschäftsführerin',
    company: 'Krüger Messebau',
    place: 'Berlin, Germany',
    stage: 'Offer sent',
    phones: [
      { label: 'Office', number: '+49 30 23125-118' },
      { label: 'Mobile', number: '+49 (0) 171 9925904' },
    ],
    email: 'krueger@messebau.example',
    facts: [
      ['USt-IdNr.', 'DE 811 907 980'],
      ['PLZ', '10117'],
      ['Offer', '€ 18.400,00'],
      ['Valid until', '15.12.2026'],
    ],
    orders: [],
    note: 'Decides after the fair (03.12. – 05.12.2026).',
  },
  {
    id: 'thiago-neves',
    name: 'Thiago Neves',
    initials: 'TN',
    hue: 4,
    role: 'Diretor comercial',
    company: 'Neves Pescados S.A.',
    place: 'Recife, Brazil',
    stage: 'New lead',
    phones: [
      { label: 'Celular', number: '(81) 9 9712-3306' },
      { label: 'Escritório', number: '081 3222-7045' },
    ],
    email: 'thiago@nevespescados.example',
    facts: [
      ['CNPJ', '33.000.167/0001-01'],
      ['CEP', '50030-230'],
      ['First contact', '17/11/2026'],
    ],
    orders: [],
    note: 'Pediu retorno na sexta, 27/11/2026, a partir das 10h.',
  },
];
