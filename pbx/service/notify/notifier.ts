/**
 * Delivers notifications: each call's in order, again and again with growing pauses until a 2xx or a day has passed. What is
 * owed is in the store; nothing is lost by a crash, and a repeated delivery is the receiver's to recognise.
 */
import type { Logger } from 'pino';
import { Agent } from 'undici';
import { coalesce } from '../../../shared/async/coalesce.ts';
import { type Delivered, postNotification } from '../../../shared/server/post-notification.ts';
import type { PbxStore, StoredNotification } from '../store/pbx-store.ts';

const second = 1000;
/** Before each further attempt; the last is repeated. */
const pausesMs = [1, 2, 5, 10, 30, 60, 300, 900].map((seconds) => seconds * second);
const giveUpAfterMs = 24 * 3600 * second;
const maxAtOnce = 20;
const connectTimeoutMs = 10 * second;

const hostNotAllowed = {
  kind: 'failed',
  note: 'the host is not allowed',
  isFinal: false,
} satisfies Delivered;

interface NotifierOptions {
  store: PbxStore;
  /** Whether a `returnurl` leads where notifications may go. */
  isAllowed(url: string): boolean;
  onAttempt?(outcome: 'delivered' | 'retry' | 'dead'): void;
  log: Logger;
  now?: () => number;
}

export class Notifier {
  private readonly agent = new Agent({
    connect: { timeout: connectTimeoutMs },
    connections: maxAtOnce,
    pipelining: 1,
  });
  private readonly stopped = new AbortController();
  private readonly underWay = new Map<number, Promise<void>>();
  private readonly now: () => number;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: NotifierOptions) {
    this.now = options.now ?? Date.now;
  }

  /** Something may be due. */
  readonly wake = coalesce(async () => {
    clearTimeout(this.timer);
    if (this.stopped.signal.aborted) return;
    const { store } = this.options;
    for (const due of store.dueNotifications(this.now(), maxAtOnce)) {
      if (this.underWay.has(due.id) || this.underWay.size >= maxAtOnce) continue;
      const attempt = this.attempt(due).finally(() => {
        this.underWay.delete(due.id);
        void this.wake();
      });
      this.underWay.set(due.id, attempt);
    }
    const next = store.nextDueAt();
    if (next !== undefined && this.underWay.size === 0)
      this.timer = setTimeout(() => void this.wake(), Math.max(50, next - this.now())).unref();
  });

  /** Cuts the attempts under way; they are made again at the next start. */
  async stop(): Promise<void> {
    this.stopped.abort();
    clearTimeout(this.timer);
    await Promise.all(this.underWay.values());
    await this.agent.destroy();
  }

  private async attempt(notification: StoredNotification): Promise<void> {
    const { store, log, onAttempt } = this.options;
    const { id, callid, url, body, attempts, createdAt } = notification;
    const delivered = this.options.isAllowed(url)
      ? await postNotification(url, body, { 'user-agent': 'dialmark-pbx' }, this.agent, this.stopped.signal)
      : hostNotAllowed;
    if (this.stopped.signal.aborted) return;
    if (delivered.kind === 'delivered') {
      store.removeNotification(id);
      onAttempt?.('delivered');
      return;
    }
    const dueAt = this.now() + pausesMs[Math.min(attempts, pausesMs.length - 1)]!;
    const isLast = dueAt - createdAt > giveUpAfterMs;
    store.postponeNotification(id, isLast ? undefined : dueAt, delivered.note);
    onAttempt?.(isLast ? 'dead' : 'retry');
    log.warn(
      { callid, attempt: attempts + 1, failure: delivered.note },
      isLast ? 'a notification was given up' : 'a notification was not delivered yet',
    );
  }
}
