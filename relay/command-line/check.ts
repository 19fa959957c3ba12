/** `npm run relay -- check`: what would keep a call from being placed, reported or shown, found without placing one. */

import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { type Reach, reachOf } from '../../shared/address.ts';
import { dayMs } from '../../shared/durations.ts';
import { type CheckResult, failedCheck } from '../../shared/server/check-results.ts';
import { checkPages, withRemedy } from '../../shared/server/damaged-store.ts';
import { hasStore } from '../../shared/server/store-lock.ts';
import { openSource } from '../directory/sources/open-source.ts';
import { listUnservedSystems } from '../log/unserved-systems.ts';
import { publicUrlNotes, type RelaySettings, settingsPrefix } from '../settings.ts';
import { openStore, sqlitePath, storeName } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { checkCrms, checkEntry } from './check-crms.ts';
import { checkLists } from './check-lists.ts';
import { findRunningRelay, localAddress } from './running-relay.ts';

const answerTimeoutMs = 5000;
const sourceTimeoutMs = 30_000;
/**
 * The largest error of the clock that is accepted. Tickets may be valid for ten seconds, and receivers of forwards
 * refuse what is minutes old.
 */
const maxClockErrorSeconds = 30;
/** How many days a certificate must still be valid. Certificates for six days are renewed after three. */
const minCertificateDays = 2;
const damagedStoreRemedy = 'stop the relay, move it, its -wal, -shm and .secret away, and restore a backup';
const setting = (name: string) => settingsPrefix + name;

/**
 * Sends nothing but `HEAD /` to the calling service: whatever it does with `/call`, no phone rings.
 * @param entryOn the address of a record, on which a test entry is written.
 */
export async function checkRelay(settings: RelaySettings, entryOn?: string): Promise<CheckResult[]> {
  const addresses = [
    ...(settings.provider?.addresses ?? []),
    ...(settings.forward ? [settings.forward.url] : []),
  ];
  const probes = await Promise.all(addresses.map((address) => probe(address, settings)));
  const { result, id } = await checkStore(settings);
  return [
    ...(settings.provider ? [] : [missingProvider]),
    ...probes.map(({ result }) => result),
    result,
    ...(await checkRunningRelay(settings, id)),
    await checkPublicAddress(settings, id),
    ...publicUrlNotes(settings).map(doubtfulAddress),
    checkClock(probes),
    ...(await checkCrms(settings)),
    ...(await checkLists(settings, Date.now())),
    ...(entryOn === undefined ? [] : [await checkEntry(settings, entryOn)]),
    ...(await checkSources(settings)),
    ...(settings.provider ? [untestedToken] : []),
  ];
}

const missingProvider: CheckResult = {
  isOk: false,
  what: 'calling service',
  advice: `${setting('PROVIDER_URL')} is not set; that is right only where browsers place every call themselves`,
};

const untestedToken: CheckResult = {
  isOk: 'untested',
  what: 'service token',
  advice: 'it cannot be tested without a call; the first call proves it',
};

interface Probe {
  result: CheckResult;
  /** How far this machine's clock is ahead of the server's, if the server gives its time. */
  aheadSeconds?: number;
}

/** Connects as a call would, certificate included. */
async function probe(address: string, settings: RelaySettings): Promise<Probe> {
  const isService = settings.provider?.addresses.includes(address) ?? false;
  const what = `${isService ? 'calling service' : 'forwards'} at ${new URL(address).origin}`;
  const sentAt = Date.now();
  try {
    const response = await head(new URL('/', address), settings.connectTimeoutSeconds * 1000);
    const now = Date.now();
    const date = Date.parse(response.headers.date ?? '');
    return {
      result: { what, ...describeCertificate(response.socket as TLSSocket, now) },
      // The header has whole seconds: on average it is half a second old.
      ...(Number.isNaN(date) ? {} : { aheadSeconds: (sentAt + now) / 2000 - (date / 1000 + 0.5) }),
    };
  } catch (error) {
    const names = ['PROVIDER_URL', 'PROVIDER_SECONDARY_URL'];
    const name = names[settings.provider?.addresses.indexOf(address) ?? -1] ?? 'FORWARD_URL';
    return { result: failedCheck(what, `${connectionProblem(error)}; see ${setting(name)}`) };
  }
}

function head(url: URL, connectTimeoutMs: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(url, { method: 'HEAD', agent: false }, (response) => {
      clearTimeout(connecting);
      response.resume();
      resolve(response);
    });
    const fail = (code: string) => () => request.destroy(Object.assign(new Error(code), { code }));
    const connecting = setTimeout(fail('ETIMEDOUT'), connectTimeoutMs);
    request.once('socket', (socket) =>
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(connecting)),
    );
    request.setTimeout(connectTimeoutMs + answerTimeoutMs, fail('EANSWER'));
    request.once('error', (error) => {
      clearTimeout(connecting);
      reject(error);
    });
    request.end();
  });
}

function describeCertificate(socket: TLSSocket, now: number): Pick<CheckResult, 'isOk' | 'advice'> {
  if (!socket.encrypted) return { isOk: true, advice: 'not encrypted' };
  const { valid_to } = socket.getPeerCertificate();
  const ends = new Date(valid_to);
  const advice = `its certificate is valid until ${ends.toISOString().slice(0, 10)}`;
  const isOk = ends.getTime() - now > minCertificateDays * dayMs;
  return { isOk, advice: isOk ? advice : `${advice}; renew it` };
}

const connectionProblems: readonly [code: RegExp, problem: string][] = [
  [/ENOTFOUND|EAI_AGAIN/, 'its name is not known (DNS)'],
  [/ECONNREFUSED/, 'nothing listens there (connection refused)'],
  [/EANSWER|TimeoutError/, 'it accepts connections, but does not answer over HTTP'],
  [/TIMEDOUT|TIMEOUT/, 'no connection in time; a firewall may be in between'],
  [/ENETUNREACH|EHOSTUNREACH/, 'there is no way to it from this machine'],
  [/CERT_HAS_EXPIRED/, 'its certificate has expired'],
  [/ALTNAME/, 'its certificate is for another name'],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/,
    'no authority that this machine trusts has signed its certificate; ' +
      'NODE_EXTRA_CA_CERTS names a file with more authorities',
  ],
  [/EPROTO|ERR_SSL|HPE_/, 'it speaks something else there; see whether http:// or https:// is right'],
];

function connectionProblem(error: unknown): string {
  const { code, cause, name } = error as { code?: unknown; cause?: { code?: string }; name: string };
  // The code of a DOMException is a number.
  const known = cause?.code ?? (typeof code === 'string' ? code : name);
  return (
    connectionProblems.find(([pattern]) => pattern.test(known))?.[1] ?? `it cannot be reached (${known})`
  );
}

async function checkStore(settings: RelaySettings): Promise<{ result: CheckResult; id?: string }> {
  const what = `store ${storeName(settings.store)}`;
  if (settings.store === 'memory:')
    return { result: failedCheck(what, 'everything in it is lost when the relay stops') };
  const path = sqlitePath(settings.store);
  if (path !== undefined && !hasStore(path))
    return { result: failedCheck(what, 'there is none yet; the relay makes it when it starts') };
  let store: Store | undefined;
  try {
    store = await openStore(settings);
    await store.maintenance.check();
    if (path !== undefined) checkPages(path);
    const doubts = [...(await store.listDoubts()), ...(await listUnservedSystems(store, settings))];
    const advice = doubts.length > 0 ? doubts.join('. ') : undefined;
    return { result: { isOk: doubts.length === 0, what, ...(advice && { advice }) }, id: store.epoch };
  } catch (error) {
    return { result: failedCheck(what, withRemedy((error as Error).message, damagedStoreRemedy)) };
  } finally {
    await store?.close();
  }
}

async function checkRunningRelay(
  settings: RelaySettings,
  storeId: string | undefined,
): Promise<CheckResult[]> {
  const address = localAddress(settings);
  if (address === undefined) return [];
  const what = `relay at ${address}`;
  const running = await findRunningRelay(address);
  if (running.kind === 'nothing') {
    const advice = running.isHanging
      ? `${connectionProblem(running.error)}; where it is the relay, it hangs: start it again`
      : `none answers; start it, or correct ${setting('LISTEN')}`;
    return [{ isOk: false, what, advice }];
  }
  if (running.kind === 'other')
    return [failedCheck(what, `what answers there is no relay that is ready (HTTP ${running.status})`)];
  if (running.store === storeId) return [{ isOk: true, what }];
  return [
    failedCheck(
      what,
      `it uses another store than ${storeName(settings.store)}; ` +
        `give this command the relay’s settings, ${setting('STORE')} or --settings FILE`,
    ),
  ];
}

const reaches: readonly Reach[] = ['loopback', 'private', 'public'];
const within: Record<Reach, string> = {
  loopback: 'this machine',
  private: 'the local network',
  public: 'the Internet',
};

async function checkPublicAddress(
  settings: RelaySettings,
  storeId: string | undefined,
): Promise<CheckResult> {
  const { publicUrl = localAddress(settings), provider } = settings;
  const unset = settings.publicUrl === undefined ? `; ${setting('PUBLIC_URL')} is not set` : '';
  const what = `public address ${publicUrl ?? ''}`.trim();
  if (publicUrl === undefined) return failedCheck(what, `${setting('PUBLIC_URL')} is not set`);
  const reach = reachOf(publicUrl);
  const farthest = reaches.findLast((each) => provider?.addresses.some((url) => reachOf(url) === each));
  if (farthest !== undefined && reaches.indexOf(farthest) > reaches.indexOf(reach))
    return failedCheck(
      what,
      `the calling service is on ${within[farthest]} and cannot reach an address of ${within[reach]}${unset}`,
    );
  const running = await findRunningRelay(publicUrl);
  if (running.kind === 'nothing')
    return failedCheck(
      what,
      `from this machine, ${connectionProblem(running.error)}; ` +
        `see ${setting('PUBLIC_URL')} and the reverse proxy`,
    );
  if (running.kind === 'other')
    return failedCheck(
      what,
      `HTTP ${running.status} from something that is no relay that is ready; see the reverse proxy’s settings`,
    );
  if (running.store !== storeId) return failedCheck(what, 'another relay answers there');
  if (reach === 'public' && new URL(publicUrl).protocol === 'http:')
    return failedCheck(what, 'keys and numbers would cross the Internet in clear; use https');
  return { isOk: true, what, advice: `reached from this machine${unset}` };
}

/** Such an address is correct with some proxies and in some networks, so this is not an error. */
const doubtfulAddress = (advice: string): CheckResult => ({
  isOk: 'untested',
  what: setting('PUBLIC_URL'),
  advice,
});

function checkClock(probes: readonly Probe[]): CheckResult {
  const what = 'clock';
  const errors = probes.map(({ aheadSeconds }) => aheadSeconds).filter((ahead) => ahead !== undefined);
  const ahead = errors.reduce((one, other) => (Math.abs(one) < Math.abs(other) ? one : other), Infinity);
  if (!Number.isFinite(ahead))
    return { isOk: 'untested', what, advice: 'no server gave its time to compare with' };
  if (Math.abs(ahead) <= maxClockErrorSeconds) return { isOk: true, what };
  const direction = ahead > 0 ? 'ahead of' : 'behind';
  return failedCheck(
    what,
    `this machine’s is ${Math.round(Math.abs(ahead))} s ${direction} the calling service’s; set it by NTP`,
  );
}

/** @returns one result for each source. */
async function checkSources({ sources }: RelaySettings): Promise<CheckResult[]> {
  return Promise.all(
    sources.map(async (settings) => {
      const what = `names of ${settings.name}`;
      try {
        const advice = await openSource(settings).check(AbortSignal.timeout(sourceTimeoutMs));
        return { isOk: true, what, advice };
      } catch (error) {
        const variables = `${settingsPrefix}DIRECTORY_${settings.name.toUpperCase()}_…`;
        return failedCheck(what, `${(error as Error).message} (${variables})`);
      }
    }),
  );
}
