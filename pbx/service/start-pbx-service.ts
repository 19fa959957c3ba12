/** Starts the calling service from its settings: store, AMI, notifier and HTTP, and stops them in the reverse order. */
import { realpathSync, statfsSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import { dayMs } from '../../shared/durations.ts';
import { closeServer, listenOn } from '../../shared/server/http-server.ts';
import { OutageReports } from '../../shared/server/outage-reports.ts';
import { type OnStop, startInOrder } from '../../shared/server/start-in-order.ts';
import { lockStore } from '../../shared/server/store-lock.ts';
import { storedSecret } from '../../shared/server/stored-secret.ts';
import { AmiClient, AmiLoginError } from './ami/ami-client.ts';
import { buildPbxApp } from './app.ts';
import { CallOriginator } from './calls/call-originator.ts';
import { OpenCalls } from './calls/open-calls.ts';
import { startForgetting } from './forget.ts';
import { PbxMetrics } from './metrics.ts';
import type { RecordingAddress } from './notify/notification-body.ts';
import { createNotifier, type Notifier } from './notify/notifier.ts';
import { pathInFolder, type RecordingSigner, recordingSigner } from './recordings/recording-address.ts';
import { isReturnAllowed, type PbxSettings } from './settings.ts';
import { PbxStore } from './store/pbx-store.ts';

const stopGraceMs = 5000;

export interface RunningPbxService {
  url: string;
  readonly store: PbxStore;
  stop(): Promise<void>;
}

/**
 * @throws Error where the store cannot be opened, another process serves it or the address is taken. Whatever was
 * started by then is stopped again.
 */
export async function startPbxService(settings: PbxSettings, log: Logger): Promise<RunningPbxService> {
  const { stop, ...running } = await startInOrder((onStop) => startParts(settings, log, onStop));
  return {
    ...running,
    async stop() {
      log.info('the calling service is stopping');
      await stop();
      log.info('the calling service has stopped');
    },
  };
}

async function startParts(
  settings: PbxSettings,
  log: Logger,
  onStop: OnStop,
): Promise<Omit<RunningPbxService, 'stop'>> {
  const named = settings.store === ':memory:' ? undefined : settings.store;
  // A second service would give up the calls of the first, and notify of them too.
  onStop(lockStore(named, 'DIALMARK_PBX_STORE'));
  const file = named && realpathSync(named);
  const store = new PbxStore(file ?? settings.store);
  onStop(() => store.close());
  store.failSoonWhenBusy();
  const metrics = new PbxMetrics();
  const signer = recordingSigner(
    settings.secret ?? storedSecret(file && path.join(path.dirname(file), 'pbx-secret')),
    settings.recordingDays * dayMs,
  );
  const notifier = createNotifier({
    store,
    isAllowed: (address) => isReturnAllowed(settings, address),
    onAttempt: (outcome) => metrics.notifications.inc({ outcome }),
    log,
  });
  onStop(() => notifier.stop());

  const losses = new OutageReports((error) => logLoss(log, error));
  const ami: AmiClient = new AmiClient({
    host: settings.ami.host,
    port: settings.ami.port,
    username: settings.amiUser ?? '',
    secret: settings.amiSecret ?? '',
    onEvent: (event) => openCalls.handleEvent(event),
    onLogin: async () => {
      await openCalls.reconcile();
      losses.end();
      log.info('Asterisk is reachable');
    },
    onLost: (error) => {
      openCalls.disconnected();
      losses.report(error);
    },
  });
  let url = '';
  const openCalls = new OpenCalls({
    store,
    ami,
    recordingAddress: recordingAddresses(settings, signer, () => settings.publicUrl ?? url),
    onNotification: () => void notifier.wake(),
    onOutcome: (outcome) => metrics.calls.inc({ outcome }),
    log,
  });
  onStop(() => openCalls.stop());
  const originator = new CallOriginator({
    store,
    ami,
    openCalls,
    dialPlan: settings,
    defaultTimeoutSeconds: settings.timeoutSeconds,
    log,
  });
  addPbxGauges(metrics, { ami, openCalls, notifier, store, folder: file && path.dirname(file) });

  const app = buildPbxApp({ settings, store, originator, openCalls, ami, signer, metrics, log });
  onStop(() => ami.stop());
  onStop(() => closeServer(app, Promise.resolve(), stopGraceMs));
  url = await listenOn(app, settings.listen, 'DIALMARK_PBX_LISTEN');
  ami.start();
  void notifier.wake();
  onStop(startForgetting(store, settings, log));
  return { url, store };
}

function logLoss(log: Logger, error: Error): void {
  if (error instanceof AmiLoginError)
    log.error(
      { error: error.message },
      'compare DIALMARK_PBX_AMI_USER and its secret with manager.conf, and its permit with this address',
    );
  else log.warn({ error: error.message }, 'Asterisk is not reachable');
}

interface Gauged {
  ami: AmiClient;
  openCalls: OpenCalls;
  notifier: Notifier;
  store: PbxStore;
  /** The folder of the store. It is undefined for a store in memory. */
  folder: string | undefined;
}

function addPbxGauges(metrics: PbxMetrics, { ami, openCalls, notifier, store, folder }: Gauged): void {
  metrics.gauge('dialmark_pbx_asterisk_up', '1 while Asterisk is reachable', () => Number(ami.isReady));
  metrics.gauge('dialmark_pbx_open_calls', 'Calls whose end is not known yet', () => openCalls.size);
  metrics.gauge(
    'dialmark_pbx_notifications_waiting',
    'Notifications not delivered yet',
    () => notifier.pending,
  );
  metrics.gauge(
    'dialmark_pbx_notification_age_seconds',
    'Age of the oldest notification not delivered yet',
    () => {
      const oldest = store.oldestNotificationAt();
      return oldest === undefined ? 0 : Math.max(0, (Date.now() - oldest) / 1000);
    },
  );
  metrics.gauge('dialmark_pbx_store_failing', '1 while the store does not take the state of calls', () =>
    Number(openCalls.isStoreBehind || store.isReplaced()),
  );
  metrics.gauge('dialmark_pbx_store_free_bytes', "Free space on the store's disk", () => {
    if (folder === undefined) return Number.NaN;
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  });
}

/** @param base address of this service. */
function recordingAddresses(
  { recordingsUrl, recordingsFolder }: PbxSettings,
  signer: RecordingSigner,
  base: () => string,
): RecordingAddress {
  return (file, version) => {
    if (recordingsUrl !== undefined)
      // v1: a base that the reader completes (interface 9).
      return version === 'v1' ? recordingsUrl : `${recordingsUrl}/${encodeURIComponent(path.basename(file))}`;
    return recordingsFolder === undefined
      ? ''
      : base() + signer.sign(pathInFolder(recordingsFolder, file), Date.now());
  };
}
