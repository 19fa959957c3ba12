/** Closes the callbacks of an agent who has talked with the number, whichever side placed that call. */
import type { Logger } from 'pino';
import type { Call } from '../shared/call/call.ts';
import { outcomeOf } from '../shared/call/outcome.ts';
import { isSameNumber } from '../shared/server/forget-number.ts';
import type { Store, StoredEvent } from './store/store.ts';

const maxCallbacks = 200;
/** The most calls whose end is remembered. Such a call changes again when its entry reaches its CRM, within days. */
const maxAnswered = 10_000;

export class CallbackCloser {
  /** Callers who have no callback. At the end of their calls, the store is not asked for callbacks. */
  private readonly withoutCallback = new Set<string>();
  /**
   * Answered calls whose end was seen. A later change of the same call must not close a callback that was agreed since.
   */
  private readonly answered = new Set<string>();

  constructor(
    private readonly calls: Pick<Store['calls'], 'listCallbacks' | 'amend'>,
    private readonly log: Logger,
  ) {}

  observe(events: readonly StoredEvent[]): void {
    for (const { channel, callId, data } of events) {
      if (data.includes('"callBackAt"')) this.remember(JSON.parse(data) as Call);
      if (!data.includes('"state":"disconnected"') || this.answered.has(callId)) continue;
      const ended = JSON.parse(data) as Call;
      if (outcomeOf(ended) !== 'answered') continue;
      this.answered.add(callId);
      const [oldest] = this.answered;
      if (this.answered.size > maxAnswered) this.answered.delete(oldest!);
      if (this.withoutCallback.has(channel)) continue;
      this.close(channel, ended).catch((error: Error) => {
        this.answered.delete(callId);
        this.log.warn({ error: error.message }, 'the callbacks of an answered call could not be closed');
      });
    }
  }

  private remember({ from, wrapUp }: Call): void {
    this.withoutCallback.delete(wrapUp?.callBackBy ?? from);
  }

  private async close(caller: string, ended: Call): Promise<void> {
    // The caller is added before the store is read. A callback that is agreed meanwhile removes the caller again.
    this.withoutCallback.add(caller);
    const callbacks = await this.calls.listCallbacks([caller], maxCallbacks);
    if (callbacks.length > 0) this.withoutCallback.delete(caller);
    for (const { id, to, createdAt } of callbacks)
      if (id !== ended.id && createdAt < ended.createdAt && isSameNumber(to, ended.to))
        await this.calls.amend({ callId: id, amendment: { kind: 'closeCallback' }, now: Date.now() });
  }
}
