/** Starts the calling service from its settings: store, AMI, notifier and HTTP, and stops them in the reverse order. */
import path from 'node:path';
import type { Logger } from 'pino';
import { closeServer, listen } from '../../shared/server/http-server.ts';
import { makeLog } from '../../shared/server/log.ts';
import { lockStore } from '../../shared/server/store-lock.ts';
import { storedSecret } from '../../shared/server/stored-secret.ts';
import { AmiClient } from './ami/ami-client.ts';
import { buildPbxApp } from './app.ts';
import { CallOriginator } from './calls/call-originator.ts';
import { PbxMetrics } from './metrics.ts';
import { createNotifier } from './notify/notifier.ts';
import { pathInFolder, recordingSigner } from './recordings/recording-address.ts';
import { isReturnAllowed, type PbxSettings } from './settings.ts';
import { PbxStore } from './store/pbx-store.ts';

const dayMs = 24 * 3600_000;
const stopGraceMs = 5000;

export interface RunningPbxService {
  url: string;
  readonly store: PbxStore;
  stop(): Promise<void>;
}

/** @throws Error where the store cannot be opened, another process serves it or the address is taken. */
export async function startPbxService(
  settings: PbxSettings,
  log: Logger = makeLog(settings.logLevel),
): Promise<RunningPbxService> {
  const file = settings.store === ':memory:' ? undefined : path.resolve(settings.store);
  // A second service would give up the calls of the first, and notify of them too.
  const unlock = lockStore(file, 'DIALMARK_PBX_STORE');
  let store: PbxStore;
  try {
    store = new PbxStore(settings.store);
  } catch (error) {
    unlock();
    throw error;
  }
  const closeStore = () => {
    store.close();
    unlock();
  };
  const metrics = new PbxMetrics();
  const signer = recordingSigner(
    settings.secret ?? storedSecret(file && path.join(path.dirname(file), 'pbx-secret')),
    settings.recordingDays * dayMs,
  );
  let url = '';
  const notifier = createNotifier({
    store,
    isAllowed: (address) => isReturnAllowed(settings, address),
    onAttempt: (outcome) => metrics.notifications.inc({ outcome }),
    log,
  });
  const ami: AmiClient = new AmiClient({
    host: settings.ami.host,
    port: settings.ami.port,
    username: settings.amiUser ?? '',
    secret: settings.amiSecret ?? '',
    onEvent: (event) => originator.handleEvent(event),
    onLogin: async () => {
      await originator.reconcile();
      log.info('Asterisk is reachable');
    },
    onLost: (error) => {
      originator.disconnected();
      log.warn({ error: error.message }, 'Asterisk is not reachable');
    },
  });
  const originator = new CallOriginator({
    store,
    ami,
    dialPlan: settings,
    defaultTimeoutSeconds: settings.timeoutSeconds,
    recordingAddress: (file, version) => {
      if (settings.recordingsUrl !== undefined)
        // v1: a base that the reader completes (interface 9).
        return version === 'v1'
          ? settings.recordingsUrl
          : `${settings.recordingsUrl}/${encodeURIComponent(path.basename(file))}`;
      const folder = settings.recordingsFolder;
      return folder === undefined
        ? ''
        : (settings.publicUrl ?? url) + signer.sign(pathInFolder(folder, file), Date.now());
    },
    onNotification: () => void notifier.wake(),
    onOutcome: (outcome) => metrics.calls.inc({ outcome }),
    log,
  });
  metrics.gauge('dialmark_pbx_asterisk_up', '1 while Asterisk is reachable', () => Number(ami.isReady));
  metrics.gauge('dialmark_pbx_open_calls', 'Calls whose end is not known yet', () => originator.openCalls);
  metrics.gauge(
    'dialmark_pbx_notifications_waiting',
    'Notifications not delivered yet',
    () => store.pendingNotifications().waiting,
  );

  const app = buildPbxApp({ settings, store, originator, ami, signer, metrics, log });
  try {
    url = await listen(app, settings.listen, 'DIALMARK_PBX_LISTEN');
  } catch (error) {
    closeStore();
    throw error;
  }
  ami.start();
  void notifier.wake();
  const forget = () => store.forgetBefore(Date.now() - settings.retentionDays * dayMs);
  forget();
  const housekeeping = setInterval(forget, 3600_000).unref();

  return {
    url,
    store,
    async stop() {
      log.info({ openCalls: originator.openCalls }, 'the calling service is stopping');
      clearInterval(housekeeping);
      await closeServer(app, Promise.resolve(), stopGraceMs);
      ami.stop();
      await notifier.stop();
      closeStore();
      log.info('the calling service has stopped');
    },
  };
}
