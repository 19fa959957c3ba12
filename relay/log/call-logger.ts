/**
 * Writes calls into CRMs (Law 8). An entry is claimed in the store before a request is sent. An entry that may have
 * been created is looked for by its marker before it is created again. This waits for more than twice the time that a
 * request can take.
 */
import type { Logger } from 'pino';
import type { Call } from '../../shared/call/call.ts';
import { hourMs, minuteMs, secondMs } from '../../shared/durations.ts';
import { type Attempted, type DeliveryOutcome, DeliveryQueue } from '../../shared/server/delivery.ts';
import type { Metrics } from '../metrics.ts';
import type { RulesSource } from '../rules/rules-file.ts';
import type { Store } from '../store/store.ts';
import {
  basisOf,
  type CallLog,
  type EntryOutcome,
  isWanted,
  type LoggedEntry,
  unsureMs,
} from './call-log.ts';
import { claimedClient, claimMs } from './claimed-client.ts';
import type { CrmConnection } from './connectors/connections.ts';
import type { FoundEntry, LogEntry } from './connectors/connector.ts';
import { CrmError, type CrmFailure, UnknownUser } from './connectors/crm-error.ts';
import { untilStopped } from './connectors/until-stopped.ts';
import { entryText, markerOf, movedText } from './entry-text.ts';
import { SystemPause } from './system-pause.ts';

/** Milliseconds before the second attempt, the third and so on: just over three days together. */
const entryDelaysMs: readonly number[] = [
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  ...Array.from({ length: 3 * 24 }, () => hourMs),
];

/** The most requests at once to one CRM. */
const maxAtOncePerSystem = 4;
/**
 * How often an entry's text is made at most. It is made again if its call changes before it is sent. A call settles
 * down.
 */
const maxReadings = 5;
/**
 * The most calls whose entries are tried at once when their CRM is back. Other entries follow when their pause is over,
 * within an hour.
 */
const maxHastened = 1000;
const claimedElsewhere = 'claimedElsewhere';

interface EntryItem {
  id: string;
  attempt: number;
  call: Call;
  outcomeLabel?: CallLog['outcomeLabel'];
  entry: LoggedEntry;
  /** How the attempt failed. `url`: where the entry is. */
  failure?: CrmFailure;
  url?: string | undefined;
  /** The entry is not in the CRM, and is not wanted any more. */
  isAbsent?: boolean;
}

/** The call has changed, so the text that was about to be sent is not complete. */
class CallChanged extends Error {
  constructor(readonly changed: Pick<EntryItem, 'call' | 'outcomeLabel'>) {
    super('the call has changed');
  }
}

interface CallLoggerOptions {
  connections: ReadonlyMap<string, CrmConnection>;
  rules: RulesSource;
  store: Pick<Store, 'calls'>;
  metrics: Pick<Metrics, 'entries'>;
  log: Logger;
  /** Milliseconds before each further attempt. */
  delaysMs?: readonly number[];
  now?: () => number;
}

export class CallLogger {
  private readonly queues: ReadonlyMap<string, DeliveryQueue<EntryItem>>;
  private readonly now: () => number;

  constructor(private readonly options: CallLoggerOptions) {
    this.now = options.now ?? Date.now;
    this.queues = new Map(
      [...options.connections.values()].map((connection) => [
        connection.system.name,
        this.queueFor(connection),
      ]),
    );
  }

  /** Entries that are not in their CRM yet and not given up, as of the last poll of each queue. */
  get pending(): number {
    return [...this.queues.values()].reduce((sum, { pending }) => sum + pending, 0);
  }

  /** Looks for due entries now. */
  wake(): void {
    for (const queue of this.queues.values()) void queue.wake();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.stop()));
  }

  private queueFor(connection: CrmConnection): DeliveryQueue<EntryItem> {
    const { delaysMs = entryDelaysMs, log, metrics } = this.options;
    const { name } = connection.system;
    // The counter starts at 0. An alert on an increase would miss a counter that appears with its first event.
    metrics.entries.inc({ system: name, outcome: 'dead' }, 0);
    const pause = new SystemPause();
    return new DeliveryQueue<EntryItem>({
      store: {
        claim: (claim) => this.claim(name, claim, pause),
        settle: (item, outcome) => this.settle(item, outcome),
      },
      attempt: (item, signal) => this.attempt(item, connection, pause, signal),
      delaysMs,
      maxAtOnce: maxAtOncePerSystem,
      onAttempted: ({ call, entry, failure, isAbsent }, outcome) => {
        if (isAbsent) return;
        const asksAgent = outcome.kind === 'dead' && failure === 'needsAgent';
        metrics.entries.inc({ system: name, outcome: asksAgent ? 'needsAgent' : outcome.kind });
        const attempted = { call: call.id, system: name, part: entry.part, attempt: entry.attempts };
        if (outcome.kind === 'delivered') log.debug(attempted, 'a call was logged');
        else log.warn({ ...attempted, failure, reason: outcome.note }, 'a call is not logged yet');
      },
      log,
      now: this.now,
    });
  }

  private async claim(
    system: string,
    { now, until, limit }: { now: number; until: number; limit: number },
    pause: SystemPause,
  ) {
    const { calls } = this.options.store;
    const admitted = pause.admit(limit, now);
    const due = await calls.listDueEntries({ system, now, limit: admitted.limit });
    const { callIds, pending, next = admitted.next } = due;
    const items: EntryItem[] = [];
    for (const callId of callIds) {
      const amended = await calls.amend({ callId, amendment: { kind: 'claimEntry', system, until }, now });
      if (amended.kind !== 'amended' || !amended.claimed) continue;
      const { call, outcomeLabel, claimed: entry } = amended;
      const id = `${callId}/${system}/${entry.part}`;
      items.push({ id, attempt: entry.attempts, call, outcomeLabel, entry });
    }
    return { items, pending, ...(next === undefined ? {} : { next }) };
  }

  private async attempt(
    item: EntryItem,
    connection: CrmConnection,
    pause: SystemPause,
    signal: AbortSignal,
  ): Promise<Attempted> {
    try {
      // If the relay stops, a sent request may have been carried out: the result is `unsure`.
      await untilStopped(() => this.findOrCreate(item, connection), signal, 'unsure');
      await this.endPause(connection, pause);
      return { kind: 'delivered' };
    } catch (thrown) {
      // A TypeError means that the reply does not have the shape of the CRM's interface.
      const error = thrown instanceof TypeError ? new CrmError('unsure', 'unreadable') : thrown;
      if (!(error instanceof CrmError)) throw error;
      const { kind, reason, retryAfterMs } = error;
      item.failure = kind;
      // Without a user for the agent, the CRM works for the other agents.
      if (kind === 'needsAgent' || error instanceof UnknownUser) await this.endPause(connection, pause);
      else if (reason !== claimedElsewhere) pause.fail(this.now(), retryAfterMs);
      return {
        kind: 'failed',
        note: reason,
        isFinal: kind === 'needsAgent',
        notBeforeMs: kind === 'unsure' ? Math.max(unsureMs, retryAfterMs ?? 0) : retryAfterMs,
      };
    }
  }

  /**
   * Called when the CRM has answered. If it was away, its failed entries are due at once, whatever their pause. Entries
   * that are `unsure` still wait for `unsureMs`.
   */
  private async endPause({ system: { name: system } }: CrmConnection, pause: SystemPause): Promise<void> {
    if (!pause.succeed()) return;
    const { calls } = this.options.store;
    for (const { call } of await calls.listUnlogged(maxHastened)) {
      const amendment = { kind: 'hastenEntries', system } as const;
      await calls.amend({ callId: call.id, amendment, now: this.now() });
    }
  }

  private async findOrCreate(item: EntryItem, connection: CrmConnection): Promise<void> {
    const { connector, client } = connection;
    const reading = claimedClient(client, this.now, () => this.confirm(item));
    // An earlier attempt may have created the entry, whatever its reply was.
    const sought = this.asEntry(item, connection);
    const found = item.attempt > 1 ? await connector.find?.(sought, reading) : undefined;
    if (found) item.url = found.url;
    // Without `find`, the entry counts as created: its record gets a part that says where the call belongs.
    else if (!isWanted(item.entry, item.call)) item.isAbsent = connector.find !== undefined;
    else item.url = (await this.create(item, connection)).url;
  }

  /** Creates the entry. If the call changes just before that, it starts again with the new text. */
  private async create(item: EntryItem, connection: CrmConnection): Promise<FoundEntry> {
    let current = item;
    for (let reading = 0; reading < maxReadings; reading++) {
      const client = claimedClient(connection.client, this.now, () => this.confirm(current));
      try {
        return await connection.connector.create(this.asEntry(current, connection), client);
      } catch (error) {
        if (!(error instanceof CallChanged)) throw error;
        current = { ...item, call: error.changed.call, outcomeLabel: error.changed.outcomeLabel };
      }
    }
    throw new CrmError('later', claimedElsewhere);
  }

  private asEntry(item: EntryItem, { system }: CrmConnection): LogEntry {
    const { call, entry } = item;
    const login = system.users[call.from];
    return {
      marker: markerOf(call.id, entry.part),
      ...{ record: entry.record, part: entry.part, kind: entry.kind },
      text: this.textOf(item, system),
      ...(login === undefined ? {} : { login }),
      talkSeconds: entry.kind === 'moved' ? 0 : (call.talkSeconds ?? 0),
      secondsBefore: entry.secondsBefore ?? 0,
      call,
      placedAt: call.createdAt,
    };
  }

  /** @throws CallChanged if the text does not say what is known by now; CrmError if the claim does not hold. */
  private async confirm({ entry, call }: EntryItem): Promise<void> {
    const now = this.now();
    const basis = basisOf(call);
    const amendment = { kind: 'confirmEntry', claim: entry, basis, until: now + claimMs } as const;
    const amended = await this.options.store.calls.amend({ callId: call.id, amendment, now });
    if (amended.kind === 'amended') return;
    if (amended.kind === 'outdated' && basisOf(amended.call) !== basis) throw new CallChanged(amended);
    throw new CrmError('later', claimedElsewhere);
  }

  private textOf({ call, entry, ...item }: EntryItem, { lang, timezone }: CrmConnection['system']): string {
    const { outcomes } = this.options.rules.current;
    const outcomeLabel =
      item.outcomeLabel ?? outcomes.find(({ code }) => code === call.wrapUp?.outcome)?.label;
    const options = { lang, timezone, outcomeLabel };
    return entry.kind === 'moved'
      ? movedText(call, entry.part, options)
      : entryText(call, entry.part, options);
  }

  private async settle(item: EntryItem, outcome: DeliveryOutcome): Promise<void> {
    const amendment = {
      kind: 'settleEntry',
      claim: item.entry,
      outcome: this.entryOutcome(item, outcome),
    } as const;
    await this.options.store.calls.amend({ callId: item.call.id, amendment, now: this.now() });
  }

  private entryOutcome({ failure, url, isAbsent }: EntryItem, outcome: DeliveryOutcome): EntryOutcome {
    if (outcome.kind === 'delivered') return isAbsent ? { kind: 'absent' } : { kind: 'done', url };
    const { note: reason } = outcome;
    if (outcome.kind === 'dead') return { kind: failure === 'needsAgent' ? 'needsAgent' : 'dead', reason };
    return { kind: failure === 'unsure' ? 'unsure' : 'waiting', due: outcome.at, reason };
  }
}
