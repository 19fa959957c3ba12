/**
 * An LDAP directory (RFC 4511), page by page. `_URL` says where and what (RFC 4516): ldaps://host/BASE??sub?FILTER.
 * Referrals are not followed: they lead to hosts that the operator has not named.
 */
import { Client, type Entry, FilterParser } from 'ldapts';
import { minuteMs } from '../../../shared/durations.ts';
import type { SourceSettings } from '../directory-settings.ts';
import { batchSize, isLongAgo, type Pull, type PulledEntry, type Source, SourceError } from './source.ts';

const pageSize = 500;
const connectTimeoutMs = 10_000;
const answerTimeoutMs = 60_000;
/** How often everything is read. Only that finds deleted entries: a search by the time of change does not show them. */
const fullIntervalMs = 15 * minuteMs;

/** The time of change in OpenLDAP and in Active Directory. Active Directory cannot filter by the first attribute. */
const changeTimes = ['modifyTimestamp', 'whenChanged'];
const names = ['displayName', 'cn'];
const organisations = ['o', 'company', 'organizationName'];
const roles = ['title', 'department'];
const numbers = ['telephoneNumber', 'mobile', 'homePhone', 'ipPhone', 'otherTelephone', 'otherMobile'];
const attributes = [...names, ...organisations, ...roles, ...numbers, ...changeTimes, 'entryUUID'];

interface LdapToken {
  /** The time of the newest entry, as LDAP writes times: 20260131235959Z. */
  changedAt: string;
  /** When everything was read; milliseconds since the epoch. */
  fullAt: number;
}

/** Result codes of RFC 4511, 4.1.9, for problems that an operator can solve. */
const problems: Readonly<Record<number, string>> = {
  // Active Directory answers a search without a login in this way.
  1: 'it refuses a search without a login; see _USER',
  3: 'it takes too long (time limit)',
  4: 'it gives only a part of its entries (size limit): raise the limit of _USER, or let it page',
  8: 'it takes logins by ldaps:// alone; see _URL',
  10: 'it refers to another server, which is not followed; see _URL',
  11: 'it gives only a part of its entries (administrative limit)',
  13: 'it takes logins by ldaps:// alone; see _URL',
  32: 'there is no such entry, or this user may not see it; see the base in _URL',
  34: 'expected a name like cn=relay,dc=example,dc=com in _USER, or as the base in _URL',
  49: 'it does not accept _USER or _TOKEN',
  50: 'this user has no right there',
  53: 'it refuses the request, as a login without its password; see _TOKEN',
};

export function ldapSource({ url, user, token }: Pick<SourceSettings, 'url' | 'user' | 'token'>): Source {
  async function* search(signal: AbortSignal, changes = ''): AsyncGenerator<Entry[], void> {
    const { protocol, host } = new URL(url);
    const { base, scope, filter } = readLdapUrl(url);
    const client = new Client({
      url: `${protocol}//${host}`,
      timeout: answerTimeoutMs,
      connectTimeout: connectTimeoutMs,
    });
    const stop = () => void client.unbind().catch(() => {});
    signal.addEventListener('abort', stop);
    try {
      if (user !== undefined) await client.bind(user, token ?? '');
      const wanted = changes === '' ? filter : `(&${filter}${changes})`;
      const options = { scope, filter: wanted, attributes, paged: { pageSize } };
      // Referrals are in `searchReferences`, which are not read.
      for await (const { searchEntries } of client.searchPaginated(base, options)) yield searchEntries;
    } catch (error) {
      const { code, message } = error as { code?: number | string; message: string };
      // When the caller's time is over, `stop` closes the connection. The client then reports only that the connection
      // was closed.
      if (signal.reason?.name === 'TimeoutError' || message.endsWith('Operation timed out'))
        throw new SourceError('it does not answer in time');
      if (message.startsWith('Connection closed')) throw new SourceError('it closed the connection');
      const known = typeof code === 'number' ? (problems[code] ?? `LDAP code ${code}`) : undefined;
      throw new SourceError(known ?? `it cannot be reached (${code ?? message.slice(0, 80)})`);
    } finally {
      signal.removeEventListener('abort', stop);
      await client.unbind().catch(() => {});
    }
  }

  return {
    async *pull({ token: last, signal }): Pull {
      const known = last === undefined ? undefined : (JSON.parse(last) as LdapToken);
      const isFull = !known || isLongAgo(known.fullAt, fullIntervalMs);
      const since = changeTimes.map((name) => `(${name}>=${known?.changedAt})`).join('');
      let changedAt = known?.changedAt ?? '';
      for await (const entries of search(signal, isFull ? '' : `(|${since})`)) {
        for (const time of entries.map(changeTimeOf)) if (time > changedAt) changedAt = time;
        const pulled = entries.map(readEntry);
        for (let at = 0; at < pulled.length; at += batchSize) yield pulled.slice(at, at + batchSize);
      }
      // Without a time of change the token is left out, so every pull reads everything.
      if (changedAt === '') return { isComplete: isFull };
      const next: LdapToken = { changedAt, fullAt: isFull ? Date.now() : known.fullAt };
      return { isComplete: isFull, token: JSON.stringify(next) };
    },

    async check(signal) {
      let count = 0;
      for await (const entries of search(signal)) count += entries.length;
      return `${count} entries`;
    },
  };
}

const textsOf = (entry: Entry, name: string): string[] => [entry[name] ?? []].flat().map(String);

/** When an entry changed, in seconds. It is not a tag, since an entry may change twice in one second. */
const changeTimeOf = (entry: Entry): string => changeTimes.flatMap((name) => textsOf(entry, name))[0] ?? '';

function readEntry(entry: Entry): PulledEntry {
  const first = (wanted: readonly string[]) => wanted.flatMap((name) => textsOf(entry, name))[0];
  return {
    uid: first(['entryUUID']) ?? entry.dn,
    written: {
      name: first(names),
      organisation: first(organisations),
      role: first(roles),
      numbers: numbers.flatMap((label) => textsOf(entry, label).map((text) => ({ text, label }))),
    },
  };
}

const scopes = ['base', 'one', 'sub'] as const;

/** @param url that `isDecodable` has checked. @throws SourceError if the base is missing or the filter is broken. */
function readLdapUrl(url: string) {
  const { pathname, search } = new URL(url);
  const base = decodeURIComponent(pathname.slice(1));
  if (base === '') throw new SourceError('expected a base in _URL: ldaps://host/ou=people,dc=example,dc=com');
  const [, wanted = '', filter = ''] = search.slice(1).split('?').map(decodeURIComponent);
  const scope = scopes.find((name) => name === wanted) ?? 'sub';
  const written = filter || '(objectClass=person)';
  return { base, scope, filter: readFilter(written.startsWith('(') ? written : `(${written})`) };
}

function readFilter(filter: string): string {
  try {
    FilterParser.parseString(filter);
    return filter;
  } catch (error) {
    const { message } = error as Error;
    throw new SourceError(`expected a filter in _URL as RFC 4515 has it: ${message.slice(0, 80)}`);
  }
}
