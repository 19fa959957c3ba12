/**
 * A CRM as a source of names: first all of its people, page by page, then those who changed. What was deleted is found
 * by how many there are and the newest of them: where one of the two differs, all ids are read. No server is asked to
 * search by number, since each compares numbers as they are written.
 */
import { dayMs } from '../../../shared/durations.ts';
import { type CrmClient, crmClient } from '../../log/connectors/crm-client.ts';
import { CrmError } from '../../log/connectors/crm-error.ts';
import { untilStopped } from '../../log/connectors/until-stopped.ts';
import type { WrittenPerson } from '../person.ts';
import { batchSize, isLongAgo, type Pull, type PulledEntry, type Source, SourceError } from './source.ts';

/**
 * One kind of record that people are in, as one CRM has it. Ids grow. Reading begins at 0, and goes on where
 * the last page says.
 */
export interface CrmPeople {
  /** The kind of a record, as templates name it: `res.partner`. */
  kind: string;
  /**
   * The next page of what changed at `since` (milliseconds since the epoch) or later; all of those with a
   * number where it is absent.
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
  /** How many numbers they have, where they are records of their own, whose deletion changes no person. */
  numbers?: number;
}

interface CrmToken {
  /** When everything was read; milliseconds since the epoch, here and below. */
  fullAt: number;
  kinds: Record<string, PeopleState & { changedAt: number }>;
}

const fullIntervalMs = dayMs;
/** A transaction commits later than the time that it writes. */
const overlapMs = 120_000;

/** @param kinds names those that this CRM and user have. */
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
      for (const [at, people] of all.entries()) {
        const before = known?.kinds[people.kind];
        const since = isFull || !before ? undefined : before.changedAt - overlapMs;
        let changedAt = before?.changedAt ?? 0;
        for await (const rows of pages(people, client, since)) {
          for (const row of rows) changedAt = Math.max(changedAt, row.changedAt);
          yield rows.map((row) => entryOf(people.kind, row));
        }
        hasLost ||= states[at]!.count !== before?.count || states[at]!.newest !== before?.newest;
        next.kinds[people.kind] = { ...states[at]!, changedAt };
      }
      if (hasLost && !isFull)
        for (const people of all)
          for await (const ids of idsOf(people, client))
            yield ids.map((id) => ({ uid: `${people.kind}/${id}`, isUnchanged: true }) as const);
      if (!isFull && !hasLost) return { isComplete: false, token: JSON.stringify(next) };
      // While pages were read, one who went may have moved another to a page that was read before.
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

function entryOf(kind: string, { id, written }: CrmPage['rows'][number]): PulledEntry {
  const uid = `${kind}/${id}`;
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
  // A reply of another shape than its interface has.
  const error = thrown instanceof TypeError ? new CrmError('misconfigured', 'unreadable') : thrown;
  if (!(error instanceof CrmError)) throw error;
  throw new SourceError(problems[error.reason] ?? `it cannot be read (${error.reason})`);
}
