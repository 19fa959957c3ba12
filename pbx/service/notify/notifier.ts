/**
 * Delivers the notifications of each call in order. It tries again with growing pauses until a 2xx or a day has passed.
 * The store has what is owed, so a crash loses nothing. The receiver must recognise a repeated delivery.
 */
import type { Logger } from 'pino';
import { minuteMs, secondMs } from '../../../shared/durations.ts';
import { DeliveryQueue, type DeliveryStore } from '../../../shared/server/delivery.ts';
import { notificationAgent, postNotification } from '../../../shared/server/post-notification.ts';
import type { PbxStore } from '../store/pbx-store.ts';
import type { StoredNotification } from '../store/schema.ts';

const longestPause = 15 * minuteMs;
/** Milliseconds before the second attempt, the third and so on: a day in all. */
const delaysMs = [
  ...[1, 2, 5, 10, 30, 60, 300].map((seconds) => seconds * secondMs),
  ...Array<number>(95).fill(longestPause),
];
const maxAtOnce = 20;

const hostNotAllowed = { kind: 'failed', note: 'the host is not allowed', isFinal: false } as const;

interface NotifierOptions {
  store: PbxStore;
  /** Whether notifications may be sent to a `returnurl`. */
  isAllowed(url: string): boolean;
  onAttempt?(outcome: 'delivered' | 'retry' | 'dead'): void;
  log: Logger;
  stopGraceMs?: number;
  random?: () => number;
  now?: () => number;
}

export interface Notifier {
  /** Notifications that are neither delivered nor given up, as of the last look into the store. */
  readonly pending: number;
  /** Looks at once for notifications that are due. */
  wake(): Promise<void>;
  /** Gives the attempts in progress a few seconds. Attempts that are cut are made again at the next start. */
  stop(): Promise<void>;
}

export function createNotifier({ store, isAllowed, onAttempt, log, ...timing }: NotifierOptions): Notifier {
  const agent = notificationAgent(maxAtOnce);
  const queue = new DeliveryQueue<StoredNotification>({
    ...timing,
    store: claimsInMemory(store),
    delaysMs,
    maxAtOnce,
    log,
    async attempt({ url, body, isEnd }, signal) {
      if (!isAllowed(url)) return hostNotAllowed;
      const headers = { 'user-agent': 'dialmark-pbx' };
      const delivered = await postNotification(url, body, headers, agent, signal);
      if (delivered.kind === 'delivered' || isEnd) return delivered;
      // A receiver that does not know this event will never take it, and the end must not wait for it.
      const { status = 0 } = delivered;
      return { ...delivered, isFinal: status >= 400 && status < 500 };
    },
    onAttempted({ callid, attempt }, outcome) {
      onAttempt?.(outcome.kind);
      if (outcome.kind === 'delivered') return;
      log.warn(
        { callid, attempt, failure: outcome.note },
        outcome.kind === 'dead' ? 'a notification was given up' : 'a notification was not delivered yet',
      );
    },
  });
  return {
    get pending() {
      return queue.pending;
    },
    wake: queue.wake,
    async stop() {
      await queue.stop();
      await agent.destroy();
    },
  };
}

/** Only one process serves the store, so claims are not written there. A claim without a stored outcome expires. */
function claimsInMemory(store: PbxStore): DeliveryStore<StoredNotification> {
  const claims = new Map<number, number>();
  return {
    claim({ now, until, limit }) {
      for (const [id, expiresAt] of claims) if (expiresAt <= now) claims.delete(id);
      const items = store.dueNotifications(now, limit, [...claims.keys()]);
      for (const { id } of items) claims.set(id, until);
      const next = store.nextDueAt([...claims.keys()]);
      const { waiting: pending } = store.pendingNotifications();
      return { items, pending, ...(next === undefined ? {} : { next }) };
    },
    settle({ id }, outcome) {
      if (outcome.kind === 'delivered') store.removeNotification(id);
      else store.postponeNotification(id, outcome.kind === 'dead' ? undefined : outcome.at, outcome.note);
      claims.delete(id);
    },
  };
}
