/**
 * An address book of a CardDAV server (RFC 6352). A sync-collection request (RFC 6578) reports what changed. Cards are
 * then read in requests of 100. Servers are not asked to search, since they compare numbers as written. We send both
 * requests ourselves: tsdav 2.3 holds whole replies in memory, and stops where a server cuts a reply.
 */
import type { SourceSettings } from '../directory-settings.ts';
import { type DavResponse, type MultistatusEnd, readMultistatus } from './multistatus.ts';
import { privateFetch } from './private-fetch.ts';
import { batchSize, type Pull, type PulledEntry, type Source, SourceError } from './source.ts';
import { readCards } from './vcard.ts';

const cardsPerRequest = 100;
/** Parts into which a server may cut one answer (RFC 6578, 3.6). */
const maxParts = 10_000;
const insufficientStorage = 507;
/** The most cards that a server may leave out of its replies. If it leaves out more, the sync fails. */
const maxLeftOut = 1000;
/**
 * What servers answer to a token that they have forgotten: 403 or 409 by RFC 6578, 500 by Xandikos 0.2.8. The address
 * book is then read from its beginning.
 */
const refusals = [400, 403, 409, 410, 412, 500];

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string) => text.replace(/[&<>]/g, (character) => escapes[character]!);

const syncBody = (token: string) =>
  '<?xml version="1.0" encoding="utf-8"?><D:sync-collection ' +
  `xmlns:D="DAV:"><D:sync-token>${escaped(token)}</D:sync-token>` +
  '<D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>';

/**
 * The wanted properties. Servers use vCard 3.0 by default. A server that cannot choose properties sends all of them.
 */
const wanted = ['VERSION', 'UID', 'FN', 'N', 'ORG', 'TITLE', 'ROLE', 'TEL']
  .map((name) => `<C:prop name="${name}"/>`)
  .join('');
const multigetBody = (hrefs: readonly string[]) =>
  '<?xml version="1.0" encoding="utf-8"?><C:addressbook-multiget xmlns:D="DAV:" ' +
  'xmlns:C="urn:ietf:params:xml:ns:carddav">' +
  `<D:prop><D:getetag/><C:address-data>${wanted}</C:address-data></D:prop>` +
  `${hrefs.map((href) => `<D:href>${escaped(href)}</D:href>`).join('')}</C:addressbook-multiget>`;

interface Member {
  href: string;
  etag: string;
}

interface BookChanges {
  members: Member[];
  gone: string[];
  /** Whether the server cut its reply and has more changes. */
  isCut: boolean;
  syncToken: string | undefined;
}

/** @param settings `url` of the address book itself. */
export function carddavSource(settings: Pick<SourceSettings, 'url' | 'user' | 'token'>): Source {
  const book = new AddressBook(settings);
  return {
    async *pull({ token = '', knownTags, signal }): Pull {
      let [next = '', ...again] = token.split('\n');
      let isComplete = next === '';
      const tokens = new Set([next]);
      /**
       * Cards that the server left out of its replies. The token keeps them, so that the next sync asks for them again.
       */
      const left = new Set(yield* book.cardsOf(again, signal));
      for (let part = 0; part < maxParts; part++) {
        const changes = await book.changesSince(next, signal);
        if (!changes) {
          // The server has forgotten the changes: everything is compared by its ETag.
          isComplete = true;
          next = '';
          left.clear();
          continue;
        }
        const { members, gone, isCut, syncToken } = changes;
        for (let at = 0; at < gone.length; at += batchSize)
          yield gone.slice(at, at + batchSize).map((uid) => ({ uid, isGone: true }));
        const changed: Member[] = [];
        for (let at = 0; at < members.length; at += batchSize) {
          const some = members.slice(at, at + batchSize);
          const tags = await knownTags(some.map(({ href }) => href));
          const isKnown = ({ etag }: Member, index: number) => etag !== '' && tags[index] === etag;
          changed.push(...some.filter((member, index) => !isKnown(member, index)));
          yield some.filter(isKnown).map(({ href }) => ({ uid: href, isUnchanged: true }));
        }
        for (const href of [...gone, ...members.map((member) => member.href)]) left.delete(href);
        const leftOut = yield* book.cardsOf(
          changed.map(({ href }) => href),
          signal,
        );
        for (const href of leftOut) left.add(href);
        if (left.size > maxLeftOut) throw new SourceError(`it leaves out ${left.size} of its cards`);
        yield leftOut.map((uid) => ({ uid, isUnchanged: true }));
        if (!isCut)
          return { isComplete, token: syncToken && [syncToken, ...left].join('\n'), leftOut: left.size };
        if (!syncToken || tokens.has(syncToken))
          throw new SourceError('it cuts its answer without saying where to go on');
        next = syncToken;
        tokens.add(next);
      }
      throw new SourceError('its answer has no end');
    },

    async check(signal) {
      const { members, isCut } = (await book.changesSince('', signal))!;
      return `${isCut ? 'more than ' : ''}${members.length} cards`;
    },
  };
}

/** The two requests to the server. */
class AddressBook {
  private readonly settings: Pick<SourceSettings, 'url' | 'user' | 'token'>;

  constructor(settings: Pick<SourceSettings, 'url' | 'user' | 'token'>) {
    const { url } = settings;
    this.settings = { ...settings, url: url.endsWith('/') ? url : `${url}/` };
  }

  /** @returns undefined where the server does not know the token. */
  async changesSince(token: string, signal: AbortSignal): Promise<BookChanges | undefined> {
    const reply = await this.report(syncBody(token), signal);
    if (reply.status === 207) return this.readChanges(readMultistatus(reply.text));
    await reply.close();
    if (token !== '') return undefined;
    if (refusals.includes(reply.status))
      throw new SourceError(
        `it refuses sync-collection (HTTP ${reply.status}); see _URL and the rights of _USER`,
      );
    throw new SourceError(`expected a multistatus, got HTTP ${reply.status}: is _URL an address book?`);
  }

  /** Reads cards. @returns the addresses of cards that the replies do not contain. */
  async *cardsOf(hrefs: readonly string[], signal: AbortSignal): AsyncGenerator<PulledEntry[], string[]> {
    const leftOut: string[] = [];
    for (let at = 0; at < hrefs.length; at += cardsPerRequest) {
      const part = hrefs.slice(at, at + cardsPerRequest);
      const asked = new Map(part.map((href) => [decoded(href), href]));
      const reply = await this.report(multigetBody(part), signal);
      if (reply.status !== 207) {
        await reply.close();
        throw new SourceError(`it refuses its cards (HTTP ${reply.status})`);
      }
      let batch: PulledEntry[] = [];
      for await (const { href, status, etag = '', addressData } of readMultistatus(reply.text)) {
        const member = decoded(this.memberOf(href) ?? '');
        const uid = asked.get(member);
        if (uid === undefined || (!addressData && status !== 404)) continue;
        asked.delete(member);
        // One card a member (RFC 6352, 5.1).
        const { value: card, done: isEmpty } = await readCards([addressData ?? '']).next();
        if (!isEmpty) batch.push({ uid, tag: etag || undefined, written: card.written });
        else if (status === 404) batch.push({ uid, isGone: true });
        if (batch.length < batchSize) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
      leftOut.push(...asked.values());
    }
    return leftOut;
  }

  private report(body: string, signal: AbortSignal) {
    const headers = { 'content-type': 'application/xml; charset=utf-8', depth: '0' };
    return privateFetch({ ...this.settings, method: 'REPORT', body, signal, headers }, refusals);
  }

  /** The path of a member of this address book; undefined for the book itself, and for any other address. */
  private memberOf(href: string): string | undefined {
    const { url } = this.settings;
    if (!URL.canParse(href, url)) return undefined;
    const { origin, pathname } = new URL(href, url);
    const book = new URL(url);
    const isInside = origin === book.origin && decoded(pathname).startsWith(decoded(book.pathname));
    return isInside && decoded(pathname) !== decoded(book.pathname) ? pathname : undefined;
  }

  private async readChanges(responses: AsyncGenerator<DavResponse, MultistatusEnd>): Promise<BookChanges> {
    const members: Member[] = [];
    const gone: string[] = [];
    let isCut = false;
    for (;;) {
      const { value, done } = await responses.next();
      if (done) return { members, gone, isCut, syncToken: value.syncToken || undefined };
      const { href, status, etag = '' } = value;
      const member = this.memberOf(href);
      if (status === insufficientStorage) isCut = true;
      else if (member === undefined) continue;
      else if (status === 404) gone.push(member);
      else if (status === undefined || status < 400) members.push({ href: member, etag });
    }
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
