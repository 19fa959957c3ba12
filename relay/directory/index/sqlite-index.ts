/** The index in its own SQLite file. So a sync does not delay notifications, and the file can be made again. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { sql } from '../../../shared/server/sql.ts';
import { SqliteConnection } from '../../../shared/server/sqlite-connection.ts';
import { privateFile } from '../../../shared/server/store-lock.ts';
import { searchWords } from '../words.ts';
import {
  type DirectoryIndex,
  type FoundPerson,
  type IndexEntry,
  maxPeopleOfNumber,
  type PeopleOfNumber,
  pack,
  type SourceState,
  unpack,
} from './directory-index.ts';

const schemaVersion = 3;
const schema = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE source (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, state TEXT NOT NULL,
    claimed_by TEXT NOT NULL, claimed_until INTEGER NOT NULL
  );
  CREATE TABLE entry (
    id INTEGER PRIMARY KEY, source INTEGER NOT NULL, uid TEXT NOT NULL, tag TEXT NOT NULL, data TEXT NOT NULL,
    words TEXT NOT NULL
  );
  CREATE UNIQUE INDEX entry_uid ON entry (source, uid);
  CREATE TABLE number (number INTEGER, entry INTEGER, PRIMARY KEY (number, entry)) WITHOUT ROWID;
  CREATE TABLE word (
    source INTEGER, word TEXT, entry INTEGER, PRIMARY KEY (source, word, entry)
  ) WITHOUT ROWID;
`;

/** The most entries that a search reads for one word. So results appear at each key press. */
const maxEntriesOfWord = 10_000;
/** Sorts behind every word that begins with a prefix. */
const lastCharacter = '\u{10FFFF}';

/** E.164 becomes its digits. An extension becomes a negative number with a 1 in front, to keep leading zeros. */
const indexKeyOf = (number: string): number =>
  number.startsWith('+') ? Number(number.slice(1)) : -Number(`1${number}`);

type PersonRow = { id: number; source: number; data: string };

/** @param path of the file, made where it is missing, or `:memory:`. */
export function openSqliteIndex(path: string): DirectoryIndex {
  if (path === ':memory:') return new SqliteIndex(path);
  privateFile(path);
  try {
    return new SqliteIndex(path);
  } catch (error) {
    // The relay starts without names rather than not at all: the next sync brings them.
    if (!isUnreadable.test((error as Error).message)) throw error;
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
    privateFile(path);
    return new SqliteIndex(path);
  }
}

const otherVersion = 'made by another version of the relay';
const isUnreadable = new RegExp(`${otherVersion}|not a database|malformed`);

class SqliteIndex implements DirectoryIndex {
  private readonly database: SqliteConnection;
  private readonly ids = new Map<string, number>();

  constructor(path: string) {
    this.database = new SqliteConnection(path);
    // The next sync restores what a crash loses. The cache is small, to save memory. Deleted content is overwritten.
    this.database.exec('PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4096; PRAGMA secure_delete = ON');
    try {
      this.prepare();
    } catch (error) {
      this.database.close();
      throw error;
    }
  }

  async epoch(): Promise<string> {
    return this.database.get<{ value: string }>(sql`SELECT value FROM meta WHERE name = 'epoch'`)!.value;
  }

  async newEpoch(): Promise<void> {
    const epoch = randomBytes(6).toString('hex');
    this.database.run(sql`INSERT OR REPLACE INTO meta VALUES ('epoch', ${epoch})`);
  }

  async sources(): Promise<Map<string, SourceState>> {
    const rows = this.database.all<{ name: string; state: string }>(sql`SELECT name, state FROM source`);
    return new Map(rows.map(({ name, state }) => [name, JSON.parse(state) as SourceState]));
  }

  async saveSource(source: string, state: SourceState): Promise<void> {
    const id = this.idOf(source);
    this.database.run(sql`UPDATE source SET state = ${JSON.stringify(state)} WHERE id = ${id}`);
  }

  async countOf(source: string): Promise<number> {
    return this.database.get<{ count: number }>(
      sql`SELECT count(*) AS count FROM entry INDEXED BY entry_uid WHERE source = ${this.idOf(source)}`,
    )!.count;
  }

  async claim(source: string, owner: string, ms: number): Promise<boolean> {
    const now = Date.now();
    const claim = sql`UPDATE source SET claimed_by = ${owner}, claimed_until = ${now + ms}
      WHERE id = ${this.idOf(source)} AND (claimed_until < ${now} OR claimed_by = ${owner})`;
    return this.database.run(claim) > 0;
  }

  async release(source: string, owner: string): Promise<void> {
    const id = this.idOf(source);
    this.database.run(sql`UPDATE source SET claimed_until = 0 WHERE id = ${id} AND claimed_by = ${owner}`);
  }

  async known(source: string, uids: readonly string[]) {
    const own = this.idOf(source);
    return uids.map((uid) =>
      this.database.get<{ id: number; tag: string }>(
        sql`SELECT id, tag FROM entry WHERE source = ${own} AND uid = ${uid}`,
      ),
    );
  }

  async put(source: string, entries: readonly IndexEntry[]): Promise<number[]> {
    const own = this.idOf(source);
    return this.database.transaction(() =>
      entries.map(({ uid, tag, person }) => {
        this.delete(own, uid);
        const words = searchWords(person);
        const { id } = this.database.get<{ id: number }>(sql`
          INSERT INTO entry (source, uid, tag, data, words)
          VALUES (${own}, ${uid}, ${tag}, ${pack(person)}, ${` ${words.join(' ')}`}) RETURNING id`)!;
        for (const { number } of person.numbers)
          this.database.run(sql`INSERT OR IGNORE INTO number VALUES (${indexKeyOf(number)}, ${id})`);
        for (const word of words)
          this.database.run(sql`INSERT OR IGNORE INTO word VALUES (${own}, ${word}, ${id})`);
        return id;
      }),
    );
  }

  async list(source: string, after: string, limit: number) {
    const own = this.idOf(source);
    return this.database.all<{ id: number; uid: string }>(
      sql`SELECT id, uid FROM entry WHERE source = ${own} AND uid > ${after} ORDER BY uid LIMIT ${limit}`,
    );
  }

  async remove(source: string, uids: readonly string[]): Promise<void> {
    const own = this.idOf(source);
    this.database.transaction(() => {
      for (const uid of uids) this.delete(own, uid);
    });
  }

  async removeNumber(number: string): Promise<number> {
    const key = indexKeyOf(number);
    const removed = this.database.transaction(() => {
      const rows = this.database.all<PersonRow & { uid: string }>(
        sql`SELECT e.id, source, uid, data FROM number JOIN entry e ON e.id = entry WHERE number = ${key}`,
      );
      for (const { id, source, uid, data } of rows) {
        const person = unpack(data);
        const numbers = person.numbers.filter((each) => each.number !== number);
        if (numbers.length === 0) this.delete(source, uid);
        else this.database.run(sql`UPDATE entry SET data = ${pack({ ...person, numbers })} WHERE id = ${id}`);
        this.database.run(sql`DELETE FROM number WHERE number = ${key} AND entry = ${id}`);
      }
      return rows.length;
    });
    this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return removed;
  }

  async find(numbers: readonly string[], sources: readonly string[]): Promise<PeopleOfNumber[]> {
    const named = this.namesOf(sources);
    return numbers.map((number) => {
      const rows = this.database.all<PersonRow>(sql`
        SELECT e.id, source, data FROM number JOIN entry e ON e.id = entry WHERE number = ${indexKeyOf(number)}
        LIMIT ${maxPeopleOfNumber}`);
      if (rows.length === maxPeopleOfNumber) return this.findMany(number, named);
      const people = [...named.keys()].flatMap((id) => rows.filter(({ source }) => source === id));
      return { count: people.length, people: people.map((row) => this.personOf(row, named)) };
    });
  }

  async search(words: readonly string[], sources: readonly string[], limit: number): Promise<FoundPerson[]> {
    const named = this.namesOf(sources);
    const found: FoundPerson[] = [];
    for (const source of named.keys())
      for (const row of this.searchSource(words, source, limit - found.length))
        found.push(this.personOf(row, named));
    return found;
  }

  close(): void {
    this.database.close();
  }

  private prepare(): void {
    const version = () => this.database.get<{ user_version: number }>(sql`PRAGMA user_version`)!.user_version;
    if (version() === schemaVersion) return;
    if (version() !== 0) throw new Error(otherVersion);
    this.database.transaction(() => {
      // The command line may have made the tables at the same moment.
      if (version() !== 0) return;
      this.database.exec(`${schema}; PRAGMA user_version = ${schemaVersion}`);
      const epoch = randomBytes(6).toString('hex');
      this.database.run(sql`INSERT INTO meta VALUES ('epoch', ${epoch})`);
    });
  }

  private idOf(source: string): number {
    const known = this.ids.get(source);
    if (known !== undefined) return known;
    this.database.run(sql`
      INSERT OR IGNORE INTO source (name, state, claimed_by, claimed_until) VALUES (${source}, '{}', '', 0)`);
    const { id } = this.database.get<{ id: number }>(sql`SELECT id FROM source WHERE name = ${source}`)!;
    this.ids.set(source, id);
    return id;
  }

  /** The people of a number that reached `maxPeopleOfNumber`. Only people of visible sources are read and counted. */
  private findMany(number: string, named: ReadonlyMap<number, string>): PeopleOfNumber {
    const visible = JSON.stringify([...named.keys()]);
    const ofNumber = sql`FROM number JOIN entry e ON e.id = entry
      JOIN json_each(${visible}) AS visible ON visible.value = source WHERE number = ${indexKeyOf(number)}`;
    const people = this.database.all<PersonRow>(
      sql`SELECT e.id, source, data ${ofNumber} ORDER BY visible.key LIMIT ${maxPeopleOfNumber}`,
    );
    const { count } = this.database.get<{ count: number }>(sql`SELECT count(*) AS count ${ofNumber}`)!;
    return { count, people: people.map((row) => this.personOf(row, named)) };
  }

  private namesOf(sources: readonly string[]): Map<number, string> {
    return new Map(sources.map((source) => [this.idOf(source), source]));
  }

  /** Looks up the rarest word alone, and compares the others with each entry that has it. */
  private searchSource(words: readonly string[], source: number, limit: number): PersonRow[] {
    const having = (word: string) => sql`SELECT entry FROM word
      WHERE source = ${source} AND word >= ${word} AND word < ${word + lastCharacter} LIMIT ${maxEntriesOfWord}`;
    const countOf = (word: string) =>
      this.database.get<{ count: number }>(sql`SELECT count(*) AS count FROM (${having(word)})`)!.count;
    const [rarest] = words.map((word) => ({ word, count: countOf(word) })).sort((a, b) => a.count - b.count);
    const { word, count } = rarest!;
    if (count === 0) return [];
    const others = words.filter((each) => each !== word);
    const withOthers = others.reduce((all, each) => sql`${all} AND instr(words, ${` ${each}`})`, sql``);
    return this.database.all<PersonRow>(sql`
      SELECT DISTINCT e.id, e.source, data FROM (${having(word)}) CROSS JOIN entry e ON e.id = entry
      ${withOthers} LIMIT ${limit}`);
  }

  private personOf({ source, data }: PersonRow, named: ReadonlyMap<number, string>): FoundPerson {
    return { ...unpack(data), source: named.get(source)! };
  }

  private delete(source: number, uid: string): void {
    const deleted = this.database.get<{ id: number; data: string }>(
      sql`DELETE FROM entry WHERE source = ${source} AND uid = ${uid} RETURNING id, data`,
    );
    if (!deleted) return;
    const { id } = deleted;
    const person = unpack(deleted.data);
    for (const { number } of person.numbers)
      this.database.run(sql`DELETE FROM number WHERE number = ${indexKeyOf(number)} AND entry = ${id}`);
    for (const word of searchWords(person))
      this.database.run(sql`DELETE FROM word WHERE source = ${source} AND word = ${word} AND entry = ${id}`);
  }
}
