import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { PageRequest } from '../../messages/pages.ts';
import type { HistoryEntry, HistoryPage } from '../../messages/views.ts';
import { sendRequest } from '../parts/send-request.ts';
import { useChanges } from '../parts/use-reply.ts';

/** Calls that the panel's state holds; more are read on demand. */
const maxRecent = 10;

/**
 * The calls to show: without a search the newest and, on demand, older ones; with a search those it finds.
 * @param recent the newest calls, from the panel's state.
 */
export function useHistory(
  recent: readonly HistoryEntry[],
  query: Omit<PageRequest<'page.history'>, 'before'>,
) {
  const key = JSON.stringify(query);
  const isSearch = key !== '{}';
  const [read, setRead] = useState<HistoryPage>();
  const [state, setState] = useState<'loading' | 'read' | 'failed'>('read');
  // Grows with every new list: a reply for an earlier list is dropped.
  const list = useRef(0);

  const load = useCallback(async () => {
    const own = ++list.current;
    const reply = key === '{}' ? undefined : await sendRequest('page.history', JSON.parse(key));
    if (own !== list.current) return;
    setRead(reply?.ok ? reply.value : undefined);
    setState(reply?.ok === false ? 'failed' : 'read');
  }, [key]);
  const restart = useCallback(() => {
    setState('loading');
    void load();
  }, [load]);
  useEffect(restart, [restart]);
  // Calls that were found change their outcome, and new ones come.
  useChanges(
    ['calls'],
    useCallback(() => void (isSearch && load()), [isSearch, load]),
  );

  async function more() {
    const own = list.current;
    const before = read?.next ?? recent.at(-1)?.call.createdAt;
    const reply = await sendRequest('page.history', { ...query, ...(before !== undefined && { before }) });
    if (own !== list.current) return;
    setState(reply.ok ? 'read' : 'failed');
    if (!reply.ok) return;
    setRead({ ...reply.value, entries: [...(read?.entries ?? []), ...reply.value.entries] });
  }

  const entries = read?.entries ?? [];
  return {
    isSearch,
    state,
    retry: restart,
    shown: isSearch ? entries : withoutDuplicates([...recent, ...entries]),
    hasMore: read ? read.next !== undefined : !isSearch && recent.length >= maxRecent,
    more,
    forget: (id: string) =>
      setRead((now) => now && { ...now, entries: now.entries.filter((entry) => entry.id !== id) }),
  };
}

function withoutDuplicates(entries: readonly HistoryEntry[]): HistoryEntry[] {
  return [...new Map(entries.toReversed().map((entry) => [entry.id, entry])).values()].toReversed();
}
