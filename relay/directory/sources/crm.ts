/**
 * A CRM as a source of names. First all people are read, page by page; later only those who changed. Deletions show in
 * the count and in the newest id. If one of them differs, all ids are read. CRMs are not asked to search by number,
 * since they compare numbers as written.
 */
import { dayMs } from '../../../shared/durations.ts';
import { type CrmClient, crmClient } from '../../log/connectors/crm-client.ts';
import { CrmError } from '../../log/connectors/crm-error.ts';
import { untilStopped } from '../../log/connectors/until-stopped.ts';
import type { WrittenPerson } from '../person.ts';
import { batchSize, isLongAgo, type Pull, type PulledEntry, type Source, SourceError } from './source.ts';

/**
 * One kind of record for people in a CRM. Later records have higher ids. The first page is at 0, and each page says
 * where the next begins.
 */
export interface CrmPeople {
  /** The kind of a record, as templates name it: `res.partner`. */
  kind: string;
  /**
   * The next page of records that changed at `since` (milliseconds since the epoch) or later. Without `since`: of all
   * records with a number.
   */
  page(client: CrmClient, at: number, since?: number): Promise<CrmPage>;
  /** The ids of all that are not archived and may have a number, page by page. */
  ids(client: CrmClient, at: number): Promise<{ ids: number[]; next: number | undefined }>;
  state(client: CrmClient): Promise<PeopleState>;
}

export interface CrmPage {
  /** A row without `written` is archived. */
  rows: { id: number; changedAt: number; written?: WrittenPerson }[];
  /** The place where the next page begins. It is undefined after the last page. */
  next: number | undefined;
}

interface PeopleState {
  count: number;
  newest: number;
  /**
   * How many numbers exist, if the CRM stores numbers as separate records. Deleting such a record does not change the
   * person.
   */
  numbers?: number;
}

interface CrmToken {
  /** When everything was read; milliseconds since the epoch, here and below. */
  fullAt: number;
  kinds: Record<string, PeopleState & { changedAt: number }>;
}

const fullIntervalMs = dayMs;
/** A change is committed later than the time written in it. So each pull begins this much earlier. */
const overlapMs = 120_000;

/** @param kinds returns the kinds of people that this CRM has and this user may read. */
export function crmSource(url: string, kinds: (client: CrmClient) => Promise<readonly CrmPeople[]>): Source {
  const patient = crmClient(url.replace(/\/+$/, ''));
  const readable = (client: CrmClient) => kinds(client).catch(throwSourceError);
  const statesOf = (all: readonly CrmPeople[], client: CrmClient) =>
    Promise.all(all.map((people) => people.state(client))).catch(throwSourceError);
  return {
    async *pull({ token, signal }): Pull {
      const client = stoppableClient(patient, signal);
      const all = await readable(client);
      const known = token === undefined ? undefined : (JSON.parse(token) as CrmToken);
      const states = await statesOf(all, client);
      const isFull =
        !known ||
        isLongAgo(known.fullAt, fullIntervalMs) ||
        all.some(({ kind }, at) => (known.kinds[kind]?.numbers ?? 0) > (states[at]!.numbers ?? 0));
      const next: CrmToken = { fullAt: isFull ? Date.now() : known.fullAt, kinds: {} };
      let hasLost = Object.keys(known?.kinds ?? {}).length > all.length;
      const pulled = new Set<string>();
      for (const [at, people] of all.entries()) {
        const before = known?.kinds[people.kind];
        const since = isFull || !before ? undefined : before.changedAt - overlapMs;
        let changedAt = before?.changedAt ?? 0;
        for await (const rows of pages(people, client, since)) {
          for (const row of rows) changedAt = Math.max(changedAt, row.changedAt);
          if (!isFull) for (const { id } of rows) pulled.add(uidOf(people.kind, id));
          yield rows.map((row) => entryOf(people.kind, row));
        }
        hasLost ||= states[at]!.count !== before?.count || states[at]!.newest !== before?.newest;
        next.kinds[people.kind] = { ...states[at]!, changedAt };
      }
      if (hasLost && !isFull)
        for (const people of all)
          for await (const ids of idsOf(people, client)) {
            const uids = ids.map((id) => uidOf(people.kind, id));
            // Who has just lost the last number that can be read may be among the ids.
            yield uids.flatMap((uid) => (pulled.has(uid) ? [] : [{ uid, isUnchanged: true } as const]));
          }
      if (!isFull && !hasLost) return { isComplete: false, token: JSON.stringify(next) };
      // If a person was deleted during the reading, another may have moved to a page that was read before.
      const isStill = JSON.stringify(await statesOf(all, client)) === JSON.stringify(states);
      if (!isStill) for (const kind of Object.values(next.kinds)) kind.count = -1;
      return { isComplete: isStill, token: JSON.stringify(next) };
    },

    async check() {
      const all = await readable(patient);
      const states = await statesOf(all, patient);
      return all.map(({ kind }, at) => `${states[at]!.count} of ${kind}`).join(', ');
    },
  };
}

/** Gives up a request once the signal aborts. */
const stoppableClient = (client: CrmClient, signal: AbortSignal): CrmClient => ({
  request: (request) => untilStopped(() => client.request(request), signal, 'later'),
});

const uidOf = (kind: string, id: number): string => `${kind}/${id}`;

function entryOf(kind: string, { id, written }: CrmPage['rows'][number]): PulledEntry {
  const uid = uidOf(kind, id);
  return written ? { uid, written: { ...written, record: uid } } : { uid, isGone: true };
}

async function* pages(people: CrmPeople, client: CrmClient, since: number | undefined) {
  for (let from: number | undefined = 0; from !== undefined; ) {
    const { rows, next }: CrmPage = await people.page(client, from, since).catch(throwSourceError);
    for (let at = 0; at < rows.length; at += batchSize) yield rows.slice(at, at + batchSize);
    from = next;
  }
}

async function* idsOf(people: CrmPeople, client: CrmClient) {
  for (let from: number | undefined = 0; from !== undefined; ) {
    const page: Awaited<ReturnType<CrmPeople['ids']>> = await people
      .ids(client, from)
      .catch(throwSourceError);
    for (let at = 0; at < page.ids.length; at += batchSize) yield page.ids.slice(at, at + batchSize);
    from = page.next;
  }
}

const problems: Readonly<Record<string, string>> = {
  unauthorized: 'it does not accept _USER or _TOKEN',
  forbidden: 'this user has no right there',
  unknownDatabase: 'it has no database of the name in _DATABASE',
  notFound: 'there is nothing at _URL',
  redirected: 'it sends elsewhere; see _URL',
  notJson: 'it answers with a page instead of data; see _URL',
  unreadable: 'it answers, but not as its _KIND does; see _KIND and _URL',
};

function throwSourceError(thrown: unknown): never {
  // A TypeError here means that the reply does not have the expected shape.
  const error = thrown instanceof TypeError ? new CrmError('misconfigured', 'unreadable') : thrown;
  if (!(error instanceof CrmError)) throw error;
  throw new SourceError(problems[error.reason] ?? `it cannot be read (${error.reason})`);
}
