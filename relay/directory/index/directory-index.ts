/**
 * Who has which number, by source: derived from the sources and read by number or by part of a name. One sync of a
 * source at a time writes its entries; readers see each batch as it is kept.
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
  /** The source's own token of where the next sync goes on. */
  token?: string;
  /** When a sync last succeeded; ISO 8601 UTC, here and below. */
  syncedAt?: string;
  /** Why the last one did not succeed, or kept what was known. */
  problem?: string;
  /** The rules by which its numbers were read. */
  read?: string;
  /** Texts of the last full sync in which no number was found. */
  unread?: number;
  /** Entries that the source has and did not give. */
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
  /** Claims a source for one sync, or extends the claim of the same owner. False while another one has it. */
  claim(source: string, owner: string, ms: number): Promise<boolean>;
  release(source: string, owner: string): Promise<void>;
  /** Reads the id and tag of the entry of each uid; undefined where there is none. */
  known(source: string, uids: readonly string[]): Promise<({ id: number; tag: string } | undefined)[]>;
  /** Adds or replaces entries of different uids. @returns their ids. */
  put(source: string, entries: readonly IndexEntry[]): Promise<number[]>;
  /** A page of a source's entries, from the uid after `after` on. */
  list(source: string, after: string, limit: number): Promise<{ id: number; uid: string }[]>;
  remove(source: string, uids: readonly string[]): Promise<void>;
  /** Takes a number from every entry; an entry without another one goes. @returns how many entries had it. */
  removeNumber(number: string): Promise<number>;
  /** The people of each number in these sources, whose order decides. */
  find(numbers: readonly string[], sources: readonly string[]): Promise<PeopleOfNumber[]>;
  /** People with a word that begins with each of `words`. */
  search(words: readonly string[], sources: readonly string[], limit: number): Promise<FoundPerson[]>;
  close(): void;
}

/** Numbers, each with its label behind a blank; last the record, where the person is one. */
type PackedPart = string | { record: string };
type PackedPerson = [name: string, organisation: string, role: string, ...parts: PackedPart[]];

/** Half the size of the same as an object: of 100,000 people, the names of its members would be most. */
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
