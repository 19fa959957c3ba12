import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { PageRequest } from '../../messages/pages.ts';
import { ok, type Result } from '../../messages/result.ts';
import type { HistoryEntry, HistoryPage } from '../../messages/views.ts';
import { sendRequest } from '../parts/send-request.ts';
import { useChanges } from '../parts/use-reply.ts';

type Query = Omit<PageRequest<'page.history'>, 'before'>;
type Read = HistoryPage | undefined;

/** How many calls the panel's state holds. More calls are read on demand. */
const maxRecent = 10;

/**
 * The calls to show. Without a search: the newest and, on demand, older ones. With a search: those that it finds.
 * @param recent the newest calls, from the panel's state.
 */
export function useHistory(recent: readonly HistoryEntry[], query: Query) {
  const key = JSON.stringify(query);
  const isSearch = key !== '{}';
  /**
   * Calls without a gap, from the newest one. It is undefined until older calls are requested, or a search has its
   * reply.
   */
  const [read, setRead] = useState<HistoryPage>();
  const [state, setState] = useState<'loading' | 'read' | 'failed'>('read');
  // What the list's requests will have read, one after the other. Each new list has its own object.
  const list = useRef({ read: Promise.resolve<Read>(undefined) });

  /** Sends a request of the present list after the earlier ones. The reply is dropped if there is a newer list. */
  const send = useCallback((request: (read: Read) => Promise<Result<Read>>): Promise<Read> => {
    const own = list.current;
    own.read = own.read.then(async (before) => {
      if (own !== list.current) return before;
      const reply = await request(before);
      if (own !== list.current) return before;
      const after = reply.ok ? reply.value : before;
      setRead(after);
      setState(reply.ok ? 'read' : 'failed');
      return after;
    });
    return own.read;
  }, []);

  // Calls get other outcomes, new calls are added, and others are removed.
  const readAgain = useCallback(() => {
    void send(async (before) =>
      before || isSearch
        ? readDownTo(before?.entries.at(-1)?.call.createdAt, JSON.parse(key))
        : ok(undefined),
    );
  }, [isSearch, key, send]);
  useChanges(['calls'], readAgain);
  const restart = useCallback(() => {
    // A search reads all calls, and each typed letter is another search. Searches that were typed while one is read are
    // skipped.
    const before = isSearch ? list.current.read : Promise.resolve();
    list.current = { read: before.then(() => undefined) };
    setState('loading');
    readAgain();
  }, [isSearch, readAgain]);
  useEffect(restart, [restart]);

  const entries = read?.entries ?? [];
  return {
    isSearch,
    state,
    retry: restart,
    shown: isSearch ? entries : mergedByDate([...recent, ...entries]),
    hasMore: read ? read.next !== undefined : !isSearch && recent.length >= maxRecent,
    // A second press may come before the first one has read the oldest call. Without `next`, it would read from the
    // newest call on.
    more: () =>
      send(async (before) => (before && before.next === undefined ? ok(before) : readOlder(before, query))),
  };
}

/** Reads the newest page and the pages after it, down to the call of this time. */
async function readDownTo(oldest: string | undefined, query: Query): Promise<Result<HistoryPage>> {
  let reply = await readOlder(undefined, query);
  while (reply.ok && oldest !== undefined && reply.value.next !== undefined && reply.value.next > oldest)
    reply = await readOlder(reply.value, query);
  return reply;
}

/** Reads the page after those already read. @returns all of them. */
async function readOlder(read: Read, query: Query): Promise<Result<HistoryPage>> {
  const reply = await sendRequest('page.history', {
    ...query,
    ...(read?.next !== undefined && { before: read.next }),
  });
  if (!reply.ok || !read) return reply;
  return ok({ ...reply.value, entries: [...read.entries, ...reply.value.entries] });
}

/** Calls sorted by time, each only once. Of two versions of a call, the first one is used. */
function mergedByDate(entries: readonly HistoryEntry[]): HistoryEntry[] {
  const unique = new Map(entries.toReversed().map((entry) => [entry.id, entry]));
  return [...unique.values()].sort((a, b) => (a.call.createdAt < b.call.createdAt ? 1 : -1));
}
