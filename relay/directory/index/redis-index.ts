/**
 * The index for several relays that share one Redis. It has the same parts as the tables in `sqlite-index.ts` (keys:
 * `redis-index-keys.ts`).
 */
import { randomBytes } from 'node:crypto';
import { connectRedis, type RedisConnection, type RedisReply, toText } from '../../store/redis/connection.ts';
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
import { key, membersOf } from './redis-index-keys.ts';

/** The most ids that are read at once for a word, or for a number to be removed. */
const maxIdsOfWord = 10_000;
/** How many entries are read at once to compare them with the other words. */
const peopleOfPage = 500;
const uidsOfPage = 500;
/** Sorts behind every member with the same prefix. */
const lastCharacter = '\u{10FFFF}';

const claimScript = `
local owner = redis.call('GET', ARGV[1])
if owner and owner ~= ARGV[2] then return {0} end
redis.call('SET', ARGV[1], ARGV[2], 'PX', ARGV[3])
return {1}`;

const releaseScript = `
if redis.call('GET', ARGV[1]) == ARGV[2] then redis.call('DEL', ARGV[1]) end
return {}`;

/** @throws StoreError where Redis cannot be reached. */
export async function openRedisIndex(url: string): Promise<DirectoryIndex> {
  // Lookups have a connection of their own, so that they do not wait for a sync.
  const onError = () => {};
  const reader = await connectRedis({ url, onError });
  try {
    return new RedisIndex(reader, await connectRedis({ url, onError }));
  } catch (error) {
    // An open connection would keep the process alive, and nothing would start it again.
    reader.close();
    throw error;
  }
}

class RedisIndex implements DirectoryIndex {
  constructor(
    private readonly reader: RedisConnection,
    private readonly writer: RedisConnection,
  ) {}

  async epoch(): Promise<string> {
    const epoch = await this.reader.send('GET', key.epoch);
    if (epoch !== null) return toText(epoch);
    await this.writer.send('SET', key.epoch, newEpoch(), 'NX');
    return toText(await this.writer.send('GET', key.epoch));
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

  async claim(source: string, owner: string, ms: number): Promise<boolean> {
    const [isClaimed] = await this.writer.script(claimScript, key.claim(source), owner, ms);
    return isClaimed === 1;
  }

  async release(source: string, owner: string): Promise<void> {
    await this.writer.script(releaseScript, key.claim(source), owner);
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
    const members = entries.map(({ person }, at) => membersOf({ ...person, source }, ids[at]!));
    // An entry that was written in part has no tag. So the next sync writes it again.
    const withoutTags = entries.flatMap(({ uid }, at) => [uid, `${ids[at]} `]);
    await this.writer.send('HSET', key.uids(source), ...withoutTags);
    await Promise.all([
      this.writer.send(
        'HSET',
        key.entries,
        ...entries.flatMap(({ person }, at) => [ids[at]!, `${source} ${pack(person)}`]),
      ),
      this.writer.send('ZADD', key.order(source), ...entries.flatMap(({ uid }) => [0, uid])),
      this.send(
        'ZADD',
        key.numbers,
        members.flatMap(({ numbers }) => numbers.flatMap((each) => [0, each])),
      ),
      this.send(
        'ZADD',
        key.words,
        members.flatMap(({ words }) => words.flatMap((each) => [0, each])),
      ),
    ]);
    const withTags = entries.flatMap(({ uid, tag }, at) => [uid, `${ids[at]} ${tag}`]);
    await this.writer.send('HSET', key.uids(source), ...withTags);
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
    // Without its tag, an entry that is removed in part is written again by the next sync.
    await this.writer.send('HSET', key.uids(source), ...gone.flatMap(({ uid, id }) => [uid, `${id} `]));
    // The uids go last. Without its uid, an entry that is still there could never be removed.
    await this.removeEntries(gone.map(({ id }) => id));
    const goneUids = gone.map(({ uid }) => uid);
    await this.removeUids(source, goneUids);
  }

  async removeNumber(number: string): Promise<number> {
    const found = await this.idsFrom(key.numbers, `${number} `, maxIdsOfWord);
    for (const person of await this.people(found)) {
      if (!person) continue;
      const { source, id, ...kept } = person;
      const numbers = person.numbers.filter((each) => each.number !== number);
      if (numbers.length > 0)
        await this.writer.send('HSET', key.entries, id, `${source} ${pack({ ...kept, numbers })}`);
      else {
        await this.removeEntries([id]);
        await this.removeUid(source, id);
      }
      await this.writer.send('ZREM', key.numbers, `${number} ${source} ${id}`);
    }
    return found.length;
  }

  async find(numbers: readonly string[], sources: readonly string[]): Promise<PeopleOfNumber[]> {
    const ids = await Promise.all(
      numbers.map(async (number) => {
        const own = sources.map((source) =>
          this.idsFrom(key.numbers, `${number} ${source} `, maxPeopleOfNumber),
        );
        return (await Promise.all(own)).flat().slice(0, maxPeopleOfNumber);
      }),
    );
    const people = await this.people(ids.flat());
    let at = 0;
    return Promise.all(
      ids.map(async (own, place) => {
        const all = people.slice(at, at + own.length);
        at += own.length;
        const found = all.filter((person) => person !== undefined);
        const isWhole = own.length < maxPeopleOfNumber;
        return {
          count: isWhole ? found.length : await this.countPeople(numbers[place]!, sources),
          people: found.map(({ id: _, ...person }) => person),
        };
      }),
    );
  }

  async search(words: readonly string[], sources: readonly string[], limit: number): Promise<FoundPerson[]> {
    const found: FoundPerson[] = [];
    for (const source of sources)
      if (found.length < limit) found.push(...(await this.searchSource(words, source, limit - found.length)));
    return found;
  }

  close(): void {
    this.reader.close();
    this.writer.close();
  }

  /** Looks up the rarest word alone, and compares the others with each entry that has it. */
  private async searchSource(
    words: readonly string[],
    source: string,
    limit: number,
  ): Promise<FoundPerson[]> {
    const counts = await Promise.all(words.map((word) => this.countFrom(key.words, `${source} ${word}`)));
    const rarest = words[counts.indexOf(Math.min(...counts))]!;
    const ids = [...new Set(await this.idsFrom(key.words, `${source} ${rarest}`, maxIdsOfWord))];
    const found: FoundPerson[] = [];
    for (let at = 0; at < ids.length && found.length < limit; at += peopleOfPage)
      for (const entry of await this.people(ids.slice(at, at + peopleOfPage))) {
        if (!entry) continue;
        const { id: _, ...person } = entry;
        const own = searchWords(person);
        if (words.every((word) => own.some((each) => each.startsWith(word)))) found.push(person);
      }
    return found.slice(0, limit);
  }

  private async countPeople(number: string, sources: readonly string[]): Promise<number> {
    const counts = sources.map((source) => this.countFrom(key.numbers, `${number} ${source} `));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  /** How many members begin with `start`. */
  private async countFrom(name: string, start: string): Promise<number> {
    return Number(await this.reader.send('ZLEXCOUNT', name, `[${start}`, `(${start}${lastCharacter}`));
  }

  /** The ids of members `… ID` that begin with `start`. */
  private async idsFrom(name: string, start: string, limit: number): Promise<number[]> {
    const range = [`[${start}`, `(${start}${lastCharacter}`, 'BYLEX', 'LIMIT', 0, limit];
    const members = (await this.reader.send('ZRANGE', name, ...range)) as string[];
    return members.map((member) => Number(member.slice(member.lastIndexOf(' ') + 1)));
  }

  private async people(ids: readonly number[]): Promise<((FoundPerson & { id: number }) | undefined)[]> {
    if (ids.length === 0) return [];
    const entries = (await this.reader.send('HMGET', key.entries, ...ids)) as RedisReply[];
    return entries.map((entry, at) => {
      if (entry === null) return undefined;
      const stored = toText(entry);
      const blank = stored.indexOf(' ');
      return { ...unpack(stored.slice(blank + 1)), source: stored.slice(0, blank), id: ids[at]! };
    });
  }

  private async removeEntries(ids: readonly number[]): Promise<void> {
    const people = (await this.people(ids)).filter((person) => person !== undefined);
    const members = people.map((person) => membersOf(person, person.id));
    await Promise.all([
      this.send(
        'ZREM',
        key.numbers,
        members.flatMap(({ numbers }) => numbers),
      ),
      this.send(
        'ZREM',
        key.words,
        members.flatMap(({ words }) => words),
      ),
      this.send('HDEL', key.entries, ids),
    ]);
  }

  /** Removes the uid of an entry that is known by its id alone. */
  private async removeUid(source: string, id: number): Promise<void> {
    for (let after = ''; ; ) {
      const page = await this.list(source, after, uidsOfPage);
      const found = page.find((each) => each.id === id);
      if (found) await this.removeUids(source, [found.uid]);
      if (found || page.length === 0) return;
      after = page.at(-1)!.uid;
    }
  }

  private async removeUids(source: string, uids: readonly string[]): Promise<void> {
    await this.send('ZREM', key.order(source), uids);
    await this.send('HDEL', key.uids(source), uids);
  }

  /** Redis refuses a command without values. */
  private async send(command: string, name: string, values: readonly (string | number)[]): Promise<void> {
    if (values.length > 0) await this.writer.send(command, name, ...values);
  }
}

const newEpoch = () => randomBytes(6).toString('hex');
