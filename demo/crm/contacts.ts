/**
 * The people of the demo. Their numbers are written in many ways. Dates, prices, order numbers and tax numbers stand
 * beside them. German, British and American numbers (555-01XX) are from ranges for fiction.
 */
import people from './contacts.json';

export interface Contact {
  id: string;
  name: string;
  role: string;
  company: string;
  place: string;
  stage: string;
  phones: { label: string; number: string; link?: string }[];
  email: string;
  facts: { label: string; value: string }[];
  orders: { id: string; date: string; what: string; total: string; state: string }[];
  note: string;
}

export const contacts: readonly Contact[] = people;
