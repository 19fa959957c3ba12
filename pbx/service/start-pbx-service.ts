/** Starts the calling service from its settings: store, AMI, notifier and HTTP, and stops them in the reverse order. */
import path from 'node:path';
import type { Logger } from 'pino';
import { closeServer, listen } from '../../shared/server/http-server.ts';
import { makeLog } from '../../shared/server/log.ts';
import { lockStore, privateFile } from '../../shared/server/store-lock.ts';
import { storedSecret } from '../../shared/server/stored-secret.ts';
import { AmiClient } from './ami/ami-client.ts';
import { buildPbxApp } from './app.ts';
import { CallOriginator } from './calls/call-originator.ts';
import { OpenCalls } from './calls/open-calls.ts';
import { PbxMetrics } from './metrics.ts';
import type { RecordingAddress } from './notify/notification-body.ts';
import { createNotifier } from './notify/notifier.ts';
import { pathInFolder, type RecordingSigner, recordingSigner } from './recordings/recording-address.ts';
import { isReturnAllowed, type PbxSettings } from './settings.ts';
import { PbxStore } from './store/pbx-store.ts';

const hourMs = 3600_000;
const dayMs = 24 * hourMs;
const stopGraceMs = 5000;

export interface RunningPbxService {
  url: string;
  readonly store: PbxStore;
  stop(): Promise<void>;
}

/**
 * @throws Error where the store cannot be opened, another process serves it or the address is taken. Whatever was started by
 * then is stopped again.
 */
export async function startPbxService(
  settings: PbxSettings,
  log: Logger = makeLog(settings.logLevel),
): Promise<RunningPbxService> {
  const cleanups: (() => void | Promise<void>)[] = [];
  const cleanUp = async () => {
    for (const clean of cleanups.splice(0).reverse()) await clean();
  };
  try {
    const running = await start(settings, log, (clean) => cleanups.push(clean));
    return {
      ...running,
      async stop() {
        log.info('the calling service is stopping');
        await cleanUp();
        log.info('the calling service has stopped');
      },
    };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

async function start(
  settings: PbxSettings,
  log: Logger,
  onStop: (clean: () => void | Promise<void>) => void,
): Promise<Omit<RunningPbxService, 'stop'>> {
  const file = settings.store === ':memory:' ? undefined : privateFile(settings.store);
  // A second service would give up the calls of the first, and notify of them too.
  onStop(lockStore(file, 'DIALMARK_PBX_STORE'));
  const store = new PbxStore(file ?? settings.store);
  onStop(() => store.close());
  store.failSoonWhenLocked();
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

  const ami: AmiClient = new AmiClient({
    host: settings.ami.host,
    port: settings.ami.port,
    username: settings.amiUser ?? '',
    secret: settings.amiSecret ?? '',
    onEvent: (event) => openCalls.handleEvent(event),
    onLogin: async () => {
      await openCalls.reconcile();
      log.info('Asterisk is reachable');
    },
    onLost: (error) => {
      openCalls.disconnected();
      log.warn({ error: error.message }, 'Asterisk is not reachable');
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
  metrics.gauge('dialmark_pbx_asterisk_up', '1 while Asterisk is reachable', () => Number(ami.isReady));
  metrics.gauge('dialmark_pbx_open_calls', 'Calls whose end is not known yet', () => openCalls.size);
  metrics.gauge(
    'dialmark_pbx_notifications_waiting',
    'Notifications not delivered yet',
    () => notifier.pending,
  );

  const app = buildPbxApp({ settings, store, originator, openCalls, ami, signer, metrics, log });
  onStop(() => ami.stop());
  onStop(() => closeServer(app, Promise.resolve(), stopGraceMs));
  url = await listen(app, settings.listen, 'DIALMARK_PBX_LISTEN');
  ami.start();
  void notifier.wake();
  const forget = () => {
    try {
      store.forgetBefore(Date.now() - settings.retentionDays * dayMs);
    } catch (error) {
      log.error(
        { error: (error as Error).message },
        'old calls could not be deleted; tried again in an hour',
      );
    }
  };
  forget();
  const housekeeping = setInterval(forget, hourMs).unref();
  onStop(() => clearInterval(housekeeping));
  return { url, store };
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
