/**
 * Stores who has which number, for each source. It is read by number or by the beginning of a word. Only one sync of a
 * source writes at a time. Readers see each batch as soon as it is stored.
 */
import type { Person } from '../person.ts';

export interface IndexEntry {
  /** The source's own id of the entry. */
  uid: string;
  /** Changes with the entry: an ETag, a time, or a digest. */
  tag: string;
  person: Person;
}

export interface FoundPerson extends Person {
  source: string;
}

/** What is known of a source beside its entries. */
export interface SourceState {
  /** The source's own token. It says where the next sync goes on. */
  token?: string;
  /** When a sync last succeeded; ISO 8601 UTC, here and below. */
  syncedAt?: string;
  /** Why the last sync failed, or why it kept entries that are gone. */
  problem?: string;
  /** A digest of the address, rules and forgotten numbers by which the numbers were read. */
  read?: string;
  /** How many texts did not have a readable number, since the last full sync. */
  unread?: number;
  /** How many entries the source has but did not give. */
  leftOut?: number;
}

/** How many people of one number are read at most. `count` counts all. */
export const maxPeopleOfNumber = 50;

export interface PeopleOfNumber {
  people: FoundPerson[];
  count: number;
}

export interface DirectoryIndex {
  /** Changes when entries changed, in this process or another. */
  epoch(): Promise<string>;
  newEpoch(): Promise<void>;
  sources(): Promise<Map<string, SourceState>>;
  saveSource(source: string, state: SourceState): Promise<void>;
  countOf(source: string): Promise<number>;
  /** Claims a source for one sync, or extends the claim of the same owner. False while another owner has the claim. */
  claim(source: string, owner: string, ms: number): Promise<boolean>;
  release(source: string, owner: string): Promise<void>;
  /** Reads the id and tag of the entry of each uid; undefined where there is none. */
  known(source: string, uids: readonly string[]): Promise<({ id: number; tag: string } | undefined)[]>;
  /** Adds or replaces entries of different uids. @returns their ids. */
  put(source: string, entries: readonly IndexEntry[]): Promise<number[]>;
  /** A page of a source's entries, in the order of uids, beginning after the uid `after`. */
  list(source: string, after: string, limit: number): Promise<{ id: number; uid: string }[]>;
  remove(source: string, uids: readonly string[]): Promise<void>;
  /**
   * Removes a number from every entry. An entry without another number is removed.
   * @returns how many entries had the number.
   */
  removeNumber(number: string): Promise<number>;
  /** The people of each number, in the order of `sources`. */
  find(numbers: readonly string[], sources: readonly string[]): Promise<PeopleOfNumber[]>;
  /** People who have, for each of `words`, a word that begins with it. */
  search(words: readonly string[], sources: readonly string[], limit: number): Promise<FoundPerson[]>;
  close(): void;
}

/** The numbers, each followed by a space and its label. The record comes last, if the person has a record. */
type PackedPart = string | { record: string };
type PackedPerson = [name: string, organisation: string, role: string, ...parts: PackedPart[]];

/** An array takes half the space of an object. With 100,000 people, property names would be most of the data. */
export const pack = ({ name, organisation = '', role = '', record, numbers }: Person): string =>
  JSON.stringify([
    name,
    organisation,
    role,
    ...numbers.map(({ number, label }) => (label ? `${number} ${label}` : number)),
    ...(record ? [{ record }] : []),
  ]);

export function unpack(data: string): Person {
  const [name, organisation, role, ...parts] = JSON.parse(data) as PackedPerson;
  const numbers = parts.filter((part) => typeof part === 'string');
  const { record } = parts.find((part) => typeof part === 'object') ?? {};
  return {
    name,
    ...(organisation ? { organisation } : {}),
    ...(role ? { role } : {}),
    ...(record ? { record } : {}),
    numbers: numbers.map((text) => {
      const blank = text.indexOf(' ');
      return blank < 0 ? { number: text } : { number: text.slice(0, blank), label: text.slice(blank + 1) };
    }),
  };
}
