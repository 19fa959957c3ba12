/** The index in its own SQLite file. So a sync does not delay notifications, and the file can be made again. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
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
    const { database } = this;
    return database.get<{ value: string }>("SELECT value FROM meta WHERE name = 'epoch'")!.value;
  }

  async newEpoch(): Promise<void> {
    const epoch = randomBytes(6).toString('hex');
    this.database.run("INSERT OR REPLACE INTO meta VALUES ('epoch', ?)", epoch);
  }

  async sources(): Promise<Map<string, SourceState>> {
    const rows = this.database.all<{ name: string; state: string }>('SELECT name, state FROM source');
    return new Map(rows.map(({ name, state }) => [name, JSON.parse(state) as SourceState]));
  }

  async saveSource(source: string, state: SourceState): Promise<void> {
    this.database.run('UPDATE source SET state = ? WHERE id = ?', JSON.stringify(state), this.idOf(source));
  }

  async countOf(source: string): Promise<number> {
    const count = 'SELECT count(*) AS count FROM entry INDEXED BY entry_uid WHERE source = ?';
    return this.database.get<{ count: number }>(count, this.idOf(source))!.count;
  }

  async claim(source: string, owner: string, ms: number): Promise<boolean> {
    const now = Date.now();
    const claim = `UPDATE source SET claimed_by = ?, claimed_until = ?
      WHERE id = ? AND (claimed_until < ? OR claimed_by = ?)`;
    return this.database.run(claim, owner, now + ms, this.idOf(source), now, owner) > 0;
  }

  async release(source: string, owner: string): Promise<void> {
    const release = 'UPDATE source SET claimed_until = 0 WHERE id = ? AND claimed_by = ?';
    this.database.run(release, this.idOf(source), owner);
  }

  async known(source: string, uids: readonly string[]) {
    const own = this.idOf(source);
    return uids.map((uid) =>
      this.database.get<{ id: number; tag: string }>(
        'SELECT id, tag FROM entry WHERE source = ? AND uid = ?',
        own,
        uid,
      ),
    );
  }

  async put(source: string, entries: readonly IndexEntry[]): Promise<number[]> {
    const own = this.idOf(source);
    return this.database.transaction(() =>
      entries.map(({ uid, tag, person }) => {
        this.delete(own, uid);
        const words = searchWords(person);
        const insert =
          'INSERT INTO entry (source, uid, tag, data, words) VALUES (?, ?, ?, ?, ?) RETURNING id';
        const values = [own, uid, tag, pack(person), ` ${words.join(' ')}`];
        const { id } = this.database.get<{ id: number }>(insert, ...values)!;
        for (const { number } of person.numbers)
          this.database.run('INSERT OR IGNORE INTO number VALUES (?, ?)', indexKeyOf(number), id);
        for (const word of words)
          this.database.run('INSERT OR IGNORE INTO word VALUES (?, ?, ?)', own, word, id);
        return id;
      }),
    );
  }

  async list(source: string, after: string, limit: number) {
    return this.database.all<{ id: number; uid: string }>(
      'SELECT id, uid FROM entry WHERE source = ? AND uid > ? ORDER BY uid LIMIT ?',
      this.idOf(source),
      after,
      limit,
    );
  }

  async remove(source: string, uids: readonly string[]): Promise<void> {
    const own = this.idOf(source);
    this.database.transaction(() => {
      for (const uid of uids) this.delete(own, uid);
    });
  }

  async removeNumber(number: string): Promise<number> {
    const removed = this.database.transaction(() => {
      const rows = this.database.all<PersonRow & { uid: string }>(
        'SELECT e.id, source, uid, data FROM number JOIN entry e ON e.id = entry WHERE number = ?',
        indexKeyOf(number),
      );
      for (const { id, source, uid, data } of rows) {
        const person = unpack(data);
        const numbers = person.numbers.filter((each) => each.number !== number);
        if (numbers.length === 0) this.delete(source, uid);
        else this.database.run('UPDATE entry SET data = ? WHERE id = ?', pack({ ...person, numbers }), id);
        this.database.run('DELETE FROM number WHERE number = ? AND entry = ?', indexKeyOf(number), id);
      }
      return rows.length;
    });
    this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return removed;
  }

  async find(numbers: readonly string[], sources: readonly string[]): Promise<PeopleOfNumber[]> {
    const named = this.namesOf(sources);
    return numbers.map((number) => {
      const rows = this.database.all<PersonRow>(
        'SELECT e.id, source, data FROM number JOIN entry e ON e.id = entry WHERE number = ? ' +
          `LIMIT ${maxPeopleOfNumber}`,
        indexKeyOf(number),
      );
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
    const version = () => this.database.get<{ user_version: number }>('PRAGMA user_version')!.user_version;
    if (version() === schemaVersion) return;
    if (version() !== 0) throw new Error(otherVersion);
    this.database.transaction(() => {
      // The command line may have made the tables at the same moment.
      if (version() !== 0) return;
      this.database.exec(`${schema}; PRAGMA user_version = ${schemaVersion}`);
      const epoch = randomBytes(6).toString('hex');
      this.database.run("INSERT INTO meta VALUES ('epoch', ?)", epoch);
    });
  }

  private idOf(source: string): number {
    const known = this.ids.get(source);
    if (known !== undefined) return known;
    const insert =
      "INSERT OR IGNORE INTO source (name, state, claimed_by, claimed_until) VALUES (?, '{}', '', 0)";
    this.database.run(insert, source);
    const { id } = this.database.get<{ id: number }>('SELECT id FROM source WHERE name = ?', source)!;
    this.ids.set(source, id);
    return id;
  }

  /** The people of a number that reached `maxPeopleOfNumber`. Only people of visible sources are read and counted. */
  private findMany(number: string, named: ReadonlyMap<number, string>): PeopleOfNumber {
    const visible = JSON.stringify([...named.keys()]);
    const ofNumber = `FROM number JOIN entry e ON e.id = entry JOIN json_each(?) AS visible ON visible.value = source
      WHERE number = ?`;
    const people = this.database.all<PersonRow>(
      `SELECT e.id, source, data ${ofNumber} ORDER BY visible.key LIMIT ${maxPeopleOfNumber}`,
      visible,
      indexKeyOf(number),
    );
    const { count } = this.database.get<{ count: number }>(
      `SELECT count(*) AS count ${ofNumber}`,
      visible,
      indexKeyOf(number),
    )!;
    return { count, people: people.map((row) => this.personOf(row, named)) };
  }

  private namesOf(sources: readonly string[]): Map<number, string> {
    return new Map(sources.map((source) => [this.idOf(source), source]));
  }

  /** Looks up the rarest word alone, and compares the others with each entry that has it. */
  private searchSource(words: readonly string[], source: number, limit: number): PersonRow[] {
    const having = `FROM word WHERE source = ? AND word >= ? AND word < ? LIMIT ${maxEntriesOfWord}`;
    const countOf = (word: string) =>
      this.database.get<{ count: number }>(
        `SELECT count(*) AS count FROM (SELECT entry ${having})`,
        source,
        word,
        word + lastCharacter,
      )!.count;
    const [rarest] = words.map((word) => ({ word, count: countOf(word) })).sort((a, b) => a.count - b.count);
    const { word, count } = rarest!;
    if (count === 0) return [];
    const others = words.filter((each) => each !== word);
    return this.database.all<PersonRow>(
      `SELECT DISTINCT e.id, e.source, data FROM (SELECT entry ${having}) CROSS JOIN entry e ON e.id = entry
       ${others.map(() => 'AND instr(words, ?)').join(' ')} LIMIT ?`,
      ...[source, word, word + lastCharacter],
      ...others.map((each) => ` ${each}`),
      limit,
    );
  }

  private personOf({ source, data }: PersonRow, named: ReadonlyMap<number, string>): FoundPerson {
    return { ...unpack(data), source: named.get(source)! };
  }

  private delete(source: number, uid: string): void {
    const deleted = this.database.get<{ id: number; data: string }>(
      'DELETE FROM entry WHERE source = ? AND uid = ? RETURNING id, data',
      source,
      uid,
    );
    if (!deleted) return;
    const person = unpack(deleted.data);
    for (const { number } of person.numbers)
      this.database.run('DELETE FROM number WHERE number = ? AND entry = ?', indexKeyOf(number), deleted.id);
    for (const word of searchWords(person))
      this.database.run(
        'DELETE FROM word WHERE source = ? AND word = ? AND entry = ?',
        source,
        word,
        deleted.id,
      );
  }
}
