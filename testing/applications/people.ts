/** The people of the applications: numbers as four countries write them, beside other digits. */

/** The sandbox refuses calls to this number at once. So a test does not wait for the end of a call. */
export const callable = { text: '(48) 3322-9015', to: '4833229015' };

export const people = [
  {
    name: 'Marina Duarte',
    mail: 'marina@porto-azul.example',
    phone: callable.text,
    order: '4500012345',
    taxId: '12.345.678/0001-95',
    since: '2026-11-23 10:15:41',
  },
  {
    name: 'João Pedro Antunes',
    mail: 'joao@antunes.example',
    phone: '+55 11 98822-4177',
    order: '4500012346',
    taxId: '123.456.789-09',
    since: '2025-03-02 08:00:12',
  },
  {
    name: 'Anke Brandt',
    mail: 'anke@brandt.example',
    phone: '+49 30 901820-14',
    order: '4500012347',
    taxId: 'DE811907980',
    since: '2024-12-31 23:59:59',
  },
  {
    name: 'Oliver Hughes',
    mail: 'oliver@hughes.example',
    phone: '+44 20 7946 0958',
    order: '4500012348',
    taxId: 'GB 123 4567 82',
    since: '2026-01-15 14:20:00',
  },
  {
    name: 'Lucía Ferreyra',
    mail: 'lucia@ferreyra.example',
    phone: '+54 11 4343-2100',
    order: '4500012349',
    taxId: '30-71234567-8',
    since: '2023-06-09 17:45:30',
  },
] as const;

export const phones: readonly string[] = people.map(({ phone }) => phone);
