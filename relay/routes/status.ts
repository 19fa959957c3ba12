/** GET /: what this is. GET /status: a page for the operator, and GET /status.json, its figures. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { remember } from '../../shared/async/remember.ts';
import { dayMs } from '../../shared/durations.ts';
import { projectFile } from '../../shared/server/project-file.ts';
import { isUnlogged, type LoggedEntry } from '../log/call-log.ts';
import { recordQueue } from '../log/entry-status.ts';
import type { RelayContext } from '../relay-context.ts';
import { checkMetricsToken } from './metrics-token.ts';
import { statusPage } from './status-page.ts';

/** What `/status.json` replies, beside `now`, this machine's clock. Times are ISO 8601 UTC. */
interface StatusFigures {
  version: string;
  startedAt: string;
  /** Open event streams and long polls. */
  streams: number;
  /** Calls between journal and answer. */
  dialsUnderWay: number;
  /** Notifications that wait to be forwarded; absent where none are forwarded. */
  forwardsPending?: number;
  /** Calls that wait to be logged in their CRM; absent where none is set. */
  entriesPending?: number;
  /** Entries that were given up, and those that ask an agent, of the oldest thousand; absent where no CRM is set. */
  entriesDead?: number;
  entriesAsking?: number;
  /** Calls whose record an agent has to choose, and since when the first of them waits; absent where none does. */
  withoutRecord?: { calls: number; since: string };
  /** How often rules were overridden in the last 24 hours, and by which key most; absent where none was. */
  overrides?: Overrides;
  /** Absent where none was accepted since the start. */
  lastNotificationAt?: string;
}

interface Overrides {
  count: number;
  /** The key's id, as `key list` shows it. */
  mostBy: { key: string; count: number };
}

const maxAuditRecords = 10_000;
const maxUnlogged = 1000;
/** How long figures from the store are used before they are read again. */
const storedFreshMs = 30_000;
const maxWaitMs = 25_000;
/** How often a waiting request checks for a change. The figures are in memory, and change in many places. */
const changeCheckMs = 200;
/** The most readers that may wait. Other readers get the figures at once. */
const maxWaiting = 50;

export function statusRoutes(app: FastifyInstance, relay: RelayContext): void {
  const { version } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { version: string };
  const startedAt = new Date().toISOString();
  const stored = remember(() => readStored(relay));
  let storedReadAt = 0;
  let waiting = 0;

  app.get('/', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send('Dialmark relay: places calls and pushes how they end.\n'),
  );

  app.get('/status', async (_request, reply) =>
    reply
      .header('content-security-policy', pagePolicy)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(statusPage.html),
  );

  const read = async (): Promise<StatusFigures> => {
    const { lastNotificationAt } = relay.metrics;
    const now = performance.now();
    if (now - storedReadAt > storedFreshMs || storedReadAt === 0) {
      stored.forget();
      storedReadAt = now;
    }
    return {
      version,
      startedAt,
      streams: relay.hub.size,
      dialsUnderWay: relay.placer.dialsInProgress,
      ...(relay.forwarder && { forwardsPending: relay.forwarder.pending }),
      ...(relay.callLogger && { entriesPending: relay.callLogger.pending }),
      ...(await stored.read()),
      ...(lastNotificationAt && { lastNotificationAt: lastNotificationAt.toISOString() }),
    };
  };

  /** Waits until the figures differ from those with this tag, but not longer than a connection may wait. */
  async function otherThan(shown: string | undefined, isOver: () => boolean): Promise<StatusFigures> {
    let figures = await read();
    if (tagOf(figures) !== shown || waiting >= maxWaiting) return figures;
    waiting++;
    try {
      const end = performance.now() + maxWaitMs;
      while (tagOf(figures) === shown && performance.now() < end && !relay.isStopping && !isOver()) {
        await pause(changeCheckMs);
        figures = await read();
      }
      return figures;
    } finally {
      waiting--;
    }
  }

  app.get<{ Querystring: { shown?: string } }>('/status.json', async (request, reply) => {
    checkMetricsToken(request, relay.settings);
    const figures = await otherThan(request.query.shown, () => request.raw.socket.destroyed);
    reply.headers({ 'cache-control': 'no-store', etag: tagOf(figures) });
    return { ...figures, now: new Date().toISOString() };
  });
}

/** The tag of figures: a reader that sends it as `?shown=` gets the figures after the next change. */
const tagOf = (figures: StatusFigures): string => hash('sha256', JSON.stringify(figures), 'base64url');

async function readStored(relay: RelayContext) {
  const overrides = await readOverrides(relay);
  return { ...(overrides && { overrides }), ...(relay.callLogger && (await countUnlogged(relay))) };
}

async function countUnlogged({ store }: RelayContext) {
  const calls = await store.calls.listUnlogged(maxUnlogged);
  const entries = calls.flatMap((call) => call.entries.filter(isUnlogged));
  const count = (wanted: LoggedEntry['state']) => entries.filter(({ state }) => state === wanted).length;
  const withoutRecord = await countWithoutRecord(store);
  return {
    entriesDead: count('dead'),
    entriesAsking: count('needsAgent'),
    ...(withoutRecord && { withoutRecord }),
  };
}

async function countWithoutRecord({ calls }: RelayContext['store']): Promise<StatusFigures['withoutRecord']> {
  const query = { system: recordQueue, now: Date.now(), limit: 1 };
  const { callIds, pending } = await calls.listDueEntries(query);
  const oldest = callIds[0] === undefined ? undefined : await calls.find(callIds[0]);
  return oldest && { calls: pending, since: oldest.call.createdAt };
}

async function readOverrides({ store }: RelayContext): Promise<Overrides | undefined> {
  const since = new Date(Date.now() - dayMs).toISOString();
  const { records } = await store.rules.audit(since, maxAuditRecords);
  const byKey = new Map<string, number>();
  for (const { action, by } of records) if (action === 'override') byKey.set(by, (byKey.get(by) ?? 0) + 1);
  const [most] = [...byKey].sort(([, one], [, other]) => other - one);
  if (!most) return undefined;
  const count = [...byKey.values()].reduce((sum, each) => sum + each, 0);
  return { count, mostBy: { key: most[0], count: most[1] } };
}

const allowed = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;
/** The page's own style and script, and requests to this relay. */
const pagePolicy = [
  "default-src 'none'",
  `style-src ${allowed(statusPage.style)}`,
  `script-src ${allowed(statusPage.script)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
