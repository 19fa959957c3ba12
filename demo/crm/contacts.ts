/**
 * The people of the demo. Their numbers stand in the many ways people write them, beside the dates, prices,
 * order and tax numbers that are none. German and British numbers are of the ranges set aside for fiction,
 * American ones of 555-01XX.
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
