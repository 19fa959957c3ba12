/**
 * The index for several relays on one Redis, in the shapes of the tables in `sqlite-index.ts`: numbers and words are
 * sorted sets that are read by range, entries are a hash, and each source has a hash of its uids.
 */
import { randomBytes } from 'node:crypto';
import { connectRedis, type RedisConnection, type Reply, text } from '../../store/redis/connection.ts';
import { root } from '../../store/redis/script-parts.ts';
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

const prefix = `${root}directory:`;
const key = {
  epoch: `${prefix}epoch`,
  lastId: `${prefix}last-id`,
  /** id -> `SOURCE person`. */
  entries: `${prefix}entries`,
  /** `NUMBER id`, by range. */
  numbers: `${prefix}numbers`,
  words: `${prefix}words`,
  states: `${prefix}sources`,
  /** uid -> `id tag`. */
  uids: (source: string) => `${prefix}uids:${source}`,
  /** uids in order, for pages. */
  order: (source: string) => `${prefix}order:${source}`,
  claim: (source: string) => `${prefix}claim:${source}`,
};

/** Of one word: a search for a name that thousands have reads no more. */
const maxIdsOfWord = 20_000;
/** Behind every member that begins with a prefix. */
const lastByte = '\u{10FFFF}';

/** @throws StoreError where Redis cannot be reached. */
export async function openRedisIndex(url: string): Promise<DirectoryIndex> {
  // A lookup must not wait behind a batch of a sync.
  const noError = () => {};
  return new RedisIndex(await connectRedis(url, noError), await connectRedis(url, noError));
}

class RedisIndex implements DirectoryIndex {
  constructor(
    private readonly reader: RedisConnection,
    private readonly writer: RedisConnection,
  ) {}

  async epoch(): Promise<string> {
    const epoch = await this.reader.send('GET', key.epoch);
    if (epoch !== null) return text(epoch);
    await this.writer.send('SET', key.epoch, newEpoch(), 'NX');
    return text(await this.writer.send('GET', key.epoch));
  }

  async newEpoch(): Promise<void> {
    await this.writer.send('SET', key.epoch, newEpoch());
  }

  async sources(): Promise<Map<string, SourceState>> {
    const flat = (await this.reader.send('HGETALL', key.states)) as string[];
    const states = new Map<string, SourceState>();
    for (let at = 0; at < flat.length; at += 2)
      states.set(flat[at]!, JSON.parse(flat[at + 1]!) as SourceState);
    return states;
  }

  async saveSource(source: string, state: SourceState): Promise<void> {
    await this.writer.send('HSET', key.states, source, JSON.stringify(state));
  }

  async countOf(source: string): Promise<number> {
    return Number(await this.reader.send('HLEN', key.uids(source)));
  }

  async claim(source: string, now: number, until: number): Promise<boolean> {
    const claimed = Number(text(await this.writer.send('GET', key.claim(source))) || 0);
    if (claimed >= now) return false;
    // Of two relays at the same moment one gets it; the process that has it extends it.
    const condition = claimed === 0 ? ['NX'] : [];
    const ends = ['PXAT', until, ...condition];
    return (await this.writer.send('SET', key.claim(source), until, ...ends)) !== null;
  }

  async release(source: string): Promise<void> {
    await this.writer.send('DEL', key.claim(source));
  }

  async known(source: string, uids: readonly string[]) {
    if (uids.length === 0) return [];
    const found = (await this.reader.send('HMGET', key.uids(source), ...uids)) as (string | null)[];
    return found.map((each) => {
      if (each === null) return undefined;
      const blank = each.indexOf(' ');
      return { id: Number(each.slice(0, blank)), tag: each.slice(blank + 1) };
    });
  }

  async put(source: string, entries: readonly IndexEntry[]): Promise<number[]> {
    await this.remove(
      source,
      entries.map(({ uid }) => uid),
    );
    const last = Number(await this.writer.send('INCRBY', key.lastId, entries.length));
    const ids = entries.map((_, at) => last - entries.length + 1 + at);
    const members = entries.map(({ person }, at) => membersOf(person, ids[at]!));
    await Promise.all([
      this.writer.send(
        'HSET',
        key.entries,
        ...entries.flatMap(({ person }, at) => [ids[at]!, `${source} ${pack(person)}`]),
      ),
      this.writer.send(
        'HSET',
        key.uids(source),
        ...entries.flatMap(({ uid, tag }, at) => [uid, `${ids[at]} ${tag}`]),
      ),
      this.writer.send('ZADD', key.order(source), ...entries.flatMap(({ uid }) => [0, uid])),
      this.writer.send(
        'ZADD',
        key.numbers,
        ...members.flatMap(({ numbers }) => numbers.flatMap((each) => [0, each])),
      ),
      this.writer.send(
        'ZADD',
        key.words,
        ...members.flatMap(({ words }) => words.flatMap((each) => [0, each])),
      ),
    ]);
    return ids;
  }

  async list(source: string, after: string, limit: number) {
    const from = after === '' ? '-' : `(${after}`;
    const range = ['BYLEX', 'LIMIT', 0, limit];
    const uids = (await this.reader.send('ZRANGE', key.order(source), from, '+', ...range)) as string[];
    const known = await this.known(source, uids);
    return uids.flatMap((uid, at) => (known[at] ? [{ id: known[at].id, uid }] : []));
  }

  async remove(source: string, uids: readonly string[]): Promise<void> {
    const known = await this.known(source, uids);
    const gone = uids.flatMap((uid, at) => (known[at] ? [{ uid, id: known[at].id }] : []));
    if (gone.length === 0) return;
    const people = await this.people(gone.map(({ id }) => id));
    const members = people.map((person, at) =>
      person ? membersOf(person, gone[at]!.id) : { numbers: [], words: [] },
    );
    const removed = (name: string, values: readonly (string | number)[], command = 'ZREM') =>
      values.length > 0 ? this.writer.send(command, name, ...values) : undefined;
    await Promise.all([
      removed(
        key.numbers,
        members.flatMap(({ numbers }) => numbers),
      ),
      removed(
        key.words,
        members.flatMap(({ words }) => words),
      ),
      removed(
        key.order(source),
        gone.map(({ uid }) => uid),
      ),
      removed(
        key.uids(source),
        gone.map(({ uid }) => uid),
        'HDEL',
      ),
      removed(
        key.entries,
        gone.map(({ id }) => id),
        'HDEL',
      ),
    ]);
  }

  async removeNumber(number: string): Promise<number> {
    const found = await this.idsBetween(key.numbers, `${number} `, `${number}!`, maxIdsOfWord);
    for (const person of await this.people(found)) {
      if (!person) continue;
      const numbers = person.numbers.filter((each) => each.number !== number);
      if (numbers.length > 0) {
        const { source, id: _, ...kept } = person;
        await this.writer.send('HSET', key.entries, person.id, `${source} ${pack({ ...kept, numbers })}`);
      } else await this.removeId(person.source, person.id);
      await this.writer.send('ZREM', key.numbers, `${number} ${person.id}`);
    }
    return found.length;
  }

  async find(numbers: readonly string[], sources: readonly string[]): Promise<PeopleOfNumber[]> {
    const ids = await Promise.all(
      numbers.map((number) => this.idsBetween(key.numbers, `${number} `, `${number}!`, maxPeopleOfNumber)),
    );
    const people = await this.people(ids.flat());
    let at = 0;
    return Promise.all(
      ids.map(async (own, place) => {
        const all = people.slice(at, at + own.length);
        at += own.length;
        const visible = all
          .filter((person) => person !== undefined)
          .filter(({ source }) => sources.includes(source));
        const range = [`[${numbers[place]} `, `(${numbers[place]}!`];
        const count =
          own.length < maxPeopleOfNumber
            ? visible.length
            : Number(await this.reader.send('ZLEXCOUNT', key.numbers, ...range));
        return {
          count,
          people: visible
            .map(({ id: _, ...person }) => person)
            .sort((a, b) => sources.indexOf(a.source) - sources.indexOf(b.source)),
        };
      }),
    );
  }

  async search(words: readonly string[], sources: readonly string[], limit: number): Promise<FoundPerson[]> {
    const [first, ...others] = await Promise.all(
      words.map(
        async (word) => new Set(await this.idsBetween(key.words, word, word + lastByte, maxIdsOfWord)),
      ),
    );
    const ids = [...first!].filter((id) => others.every((other) => other.has(id))).slice(0, limit);
    const people = await this.people(ids);
    return people
      .filter((person) => person !== undefined)
      .filter(({ source }) => sources.includes(source))
      .map(({ id: _, ...person }) => person);
  }

  close(): void {
    this.reader.close();
    this.writer.close();
  }

  /** Of members `… ID`, from one on and below the other. */
  private async idsBetween(name: string, from: string, below: string, limit: number): Promise<number[]> {
    const range = ['BYLEX', 'LIMIT', 0, limit];
    const members = (await this.reader.send('ZRANGE', name, `[${from}`, `(${below}`, ...range)) as string[];
    return members.map((member) => Number(member.slice(member.lastIndexOf(' ') + 1)));
  }

  private async people(ids: readonly number[]): Promise<((FoundPerson & { id: number }) | undefined)[]> {
    if (ids.length === 0) return [];
    const entries = (await this.reader.send('HMGET', key.entries, ...ids)) as Reply[];
    return entries.map((entry, at) => {
      if (entry === null) return undefined;
      const stored = text(entry);
      const blank = stored.indexOf(' ');
      return { ...unpack(stored.slice(blank + 1)), source: stored.slice(0, blank), id: ids[at]! };
    });
  }

  private async removeId(source: string, id: number): Promise<void> {
    for (let after = ''; ; ) {
      const page = await this.list(source, after, maxIdsOfWord);
      const found = page.find((each) => each.id === id);
      if (found) return this.remove(source, [found.uid]);
      if (page.length === 0) return;
      after = page.at(-1)!.uid;
    }
  }
}

const newEpoch = () => randomBytes(6).toString('hex');

const membersOf = (person: FoundPerson | IndexEntry['person'], id: number) => ({
  numbers: person.numbers.map(({ number }) => `${number} ${id}`),
  words: searchWords(person).map((word) => `${word} ${id}`),
});
