/** Starts the relay from its settings, and stops it without an error for the readers of its streams. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { closeServer, listenOn } from '../shared/server/http-server.ts';
import { makeLog } from '../shared/server/log.ts';
import { type OnStop, startInOrder } from '../shared/server/start-in-order.ts';
import { lockStore } from '../shared/server/store-lock.ts';
import { ApiKeyCache } from './access/api-key-cache.ts';
import { secretsOf } from './access/secrets.ts';
import { Signer } from './access/signer.ts';
import { buildApp } from './app.ts';
import { CallbackCloser } from './callback-closer.ts';
import { AnnouncedFeatures } from './dial/announced-features.ts';
import { CallPlacer } from './dial/call-placer.ts';
import { operatorLimits } from './dial/operator-policy.ts';
import { openDirectory } from './directory/open-directory.ts';
import { Forwarder } from './forward/forwarder.ts';
import { Housekeeping } from './housekeeping.ts';
import { CallLogger } from './log/call-logger.ts';
import { connectCrms } from './log/connectors/connections.ts';
import { listUnservedSystems } from './log/unserved-systems.ts';
import { Metrics } from './metrics.ts';
import { Readiness } from './readiness.ts';
import type { RelayContext } from './relay-context.ts';
import { CallRules } from './rules/call-rules.ts';
import { listsFolderOf } from './rules/lists/list-path.ts';
import { NumberLists } from './rules/lists/number-lists.ts';
import { NumbersEpoch } from './rules/numbers-epoch.ts';
import { homeOf, RulesSource } from './rules/rules-file.ts';
import { type RelaySettings, settingsPrefix } from './settings.ts';
import { openStore, sqlitePath } from './store/open-store.ts';
import type { Store } from './store/store.ts';
import { Hub } from './stream/hub.ts';

/** How long a stop waits for the results of dials in progress. Afterwards their journal entry becomes "unknown". */
const stopGraceMs = 10_000;

/** This text is in the event of a call whose log entry waits: it was just made or changed. */
const waitingEntry = '"entry":{"state":"waiting"';

interface RunningRelay {
  /** The address at which it listens. */
  url: string;
  readonly store: Store;
  stop(): Promise<void>;
}

/** What a relay consists of, before it listens. */
interface RelayParts {
  relay: RelayContext;
  lists: NumberLists;
  housekeeping: Housekeeping;
  features: AnnouncedFeatures;
}

/**
 * @throws StoreError if the store cannot be opened. Error if another relay serves the store, or if the address cannot
 * be used. Everything that was started by then is stopped again.
 */
export async function startRelay(
  settings: RelaySettings,
  log: Logger = makeLog(settings.logLevel),
): Promise<RunningRelay> {
  const { relay, url, stop } = await startInOrder((onStop) => startRelayParts(settings, log, onStop));
  const { hub, placer, store } = relay;
  return {
    url,
    store,
    async stop() {
      log.info({ streams: hub.size, dialsUnderWay: placer.dialsInProgress }, 'the relay is stopping');
      await stop();
      log.info('the relay has stopped');
    },
  };
}

async function startRelayParts(settings: RelaySettings, log: Logger, onStop: OnStop) {
  const parts = await makeParts(settings, log, onStop);
  const { relay, housekeeping, features } = parts;
  const { store, numbersEpoch, directory, forwarder, callLogger } = relay;
  const app = await buildApp(relay);
  onStop(() => closeParts(parts, app));
  addGauges(parts);
  followStore(relay);
  followRules(parts);

  await housekeeping.decideInterrupted();
  await features.start();
  // Only this relay serves a store that is not shared, so every claim was made by a process that is gone.
  if (forwarder && !store.shared) await store.forwards.release(Date.now());

  const url = await listenOn(app, settings, `${settingsPrefix}LISTEN`);
  relay.placer.publicUrl ||= url;
  await logStart(relay);
  housekeeping.start();
  await directory?.start(() => numbersEpoch.changed());
  void forwarder?.wake();
  callLogger?.wake();
  return { relay, url };
}

async function makeParts(settings: RelaySettings, log: Logger, onStop: OnStop): Promise<RelayParts> {
  const rules = new RulesSource(settings.rulesFile, log, operatorLimits(settings));
  onStop(() => rules.close());
  const metrics = new Metrics();
  const { store, readiness } = await openLockedStore(settings, metrics, log, onStop);
  const secrets = secretsOf(settings);
  const signer = new Signer(secrets);
  const hub = new Hub(store);
  const keys = await ApiKeyCache.open(store, {
    onEndChanged: (keyId) => hub.endStreamsOf(keyId),
    onReadError: (error) => log.error({ error: error.message }, 'the keys could not be read again'),
  });
  onStop(() =>
    keys.saveUses().catch((error: Error) => log.warn({ error: error.message }, 'uses of keys are lost')),
  );
  const lists = new NumberLists(listsFolderOf(settings), log, () => numbersEpoch.changed());
  onStop(() => lists.stop());
  const callRules = new CallRules(settings, rules, lists, store);
  const connections = connectCrms(settings.crms);
  const asked = settings.providerEvents === 'all' ? (settings.provider?.addresses ?? []) : [];
  const features = new AnnouncedFeatures(asked, log);
  const placer = new CallPlacer({
    settings,
    store,
    signer,
    metrics,
    log,
    rules,
    callRules,
    connections,
    features,
  });
  const callLogger =
    connections.size > 0 ? new CallLogger({ connections, rules, store, metrics, log }) : undefined;
  const directory = await openDirectory({ settings, store, metrics, log });
  const numbersEpoch = makeNumbersEpoch(hub, directory);
  const forwarder = settings.forward && new Forwarder({ ...settings.forward, store, metrics, log });
  const relay: RelayContext = {
    settings,
    store,
    readiness,
    hub,
    access: { signer, keys, removesNotes: (team) => rules.of(team).removeNotesWithKey === true },
    placer,
    rules,
    callRules,
    numbersEpoch,
    connections,
    callLogger,
    directory,
    forwarder,
    metrics,
    log,
    isStopping: false,
  };
  return {
    relay,
    lists,
    features,
    housekeeping: new Housekeeping({ settings, store, keys, metrics, log }),
  };
}

/** Opens the store. A SQLite store is locked, so that only one relay serves it. */
async function openLockedStore(settings: RelaySettings, metrics: Metrics, log: Logger, onStop: OnStop) {
  // The lock comes before any change. This relay would take the dials of another running relay for interrupted.
  onStop(lockStore(sqlitePath(settings.store), `${settingsPrefix}STORE`));
  const readiness = new Readiness(() => store.maintenance.check());
  const store: Store = await openStore(settings, {
    onCommit: (durationMs) => metrics.commitSeconds.observe(durationMs / 1000),
    onError: (error) => {
      readiness.forget();
      log.error({ error: error.message }, 'the connection to the store broke');
    },
    onRestored: () => log.info('the store can be reached again'),
  });
  onStop(() => store.close());
  return { store, readiness };
}

function makeNumbersEpoch(hub: Hub, directory: RelayContext['directory']): NumbersEpoch {
  const numbersEpoch: NumbersEpoch = new NumbersEpoch(
    () => directory?.epoch,
    (leasesOnly) =>
      hub.publishNames((kind) => {
        const epoch = numbersEpoch.of({ kind });
        if (kind === 'agent') return leasesOnly ? { epoch, leasesOnly } : { epoch };
        return leasesOnly ? undefined : { epoch };
      }),
  );
  return numbersEpoch;
}

function addGauges({ relay, lists }: RelayParts): void {
  const { metrics, hub, placer, callLogger, forwarder } = relay;
  metrics.gauge('dialmark_streams', 'Event streams and long polls open now', () => hub.size);
  metrics.gauge('dialmark_dials_under_way', 'Calls between journal and answer', () => placer.dialsInProgress);
  metrics.gauge(
    'dialmark_lists_failing',
    'Large lists whose last renewal was refused',
    () => lists.states(Date.now()).filter(({ failure }) => failure !== undefined).length,
  );
  metrics.gauge(
    'dialmark_lists_old',
    'Large lists that are older than their rule allows',
    () => lists.states(Date.now()).filter(({ isOld }) => isOld).length,
  );
  if (callLogger)
    metrics.gauge('dialmark_log_entries_pending', 'Calls not in their CRM yet', () => callLogger.pending);
  if (forwarder)
    metrics.gauge('dialmark_forwards_pending', 'Notifications not forwarded yet', () => forwarder.pending);
}

/** Passes on what the store reports: events to readers, changes by the command line, and the loss of its data. */
function followStore({ store, log, hub, access, numbersEpoch, callLogger, forwarder }: RelayContext): void {
  const callbackCloser = new CallbackCloser(store.calls, log);
  store.onEvents((events) => {
    hub.publish(events);
    numbersEpoch.leasesChanged();
    callbackCloser.observe(events);
    if (events.some(({ data }) => data.includes(waitingEntry))) callLogger?.wake();
  });
  store.onChanged(() => {
    // The command line may have retried a dead forward or entry.
    void forwarder?.wake();
    callLogger?.wake();
    void access.keys.reload();
    numbersEpoch.changed();
  });
  store.onEpoch(() => {
    log.warn('the store lost its data; every reader starts again');
    access.keys
      .restore()
      .catch((error: Error) => log.error({ error: error.message }, 'the keys could not be restored'));
    hub.endStreams();
  });
}

function followRules({ relay, lists }: RelayParts): void {
  const { settings, rules, numbersEpoch, hub } = relay;
  const loadLists = () => lists.use(rules.lists, homeOf(settings, rules.current).country);
  rules.onChange(loadLists);
  rules.onChange(() => numbersEpoch.changed());
  rules.onChange(() => hub.publishRules((reader) => rules.forBrowser(reader)));
  loadLists();
}

async function logStart({ settings, store, log }: RelayContext): Promise<void> {
  log.info(
    {
      store: settings.store.slice(0, settings.store.indexOf(':')),
      durability: store.durability,
      provider: settings.provider ? settings.provider.addresses.length : 'none',
      country: settings.country ?? 'none',
    },
    'the relay is listening',
  );
  for (const doubt of await store.listDoubts().catch(() => [])) log.warn(doubt);
  for (const unserved of await listUnservedSystems(store, settings).catch(() => [])) log.warn(unserved);
  if (settings.provider && settings.publicUrl === undefined)
    log.warn(
      'DIALMARK_PUBLIC_URL is not set: the service can report the end of a call only from this machine',
    );
}

async function closeParts(parts: RelayParts, app: FastifyInstance): Promise<void> {
  const { relay, housekeeping, features } = parts;
  const { hub, placer, forwarder, callLogger, directory } = relay;
  relay.isStopping = true;
  housekeeping.stop();
  features.stop();
  // Readers reconnect by themselves, to us or to another relay, as they do at the end of every stream.
  hub.endAll();
  await closeServer(
    app,
    Promise.all([placer.idle(), forwarder?.stop(), callLogger?.stop(), directory?.stop()]),
    stopGraceMs,
  );
}
