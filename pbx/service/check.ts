/**
 * `npm run pbx -- check`: what would keep a call from being placed or reported. It finds this without placing a call.
 */
import { access, constants } from 'node:fs/promises';
import { resolve } from 'node:path';
import { hostInUrl } from '../../shared/address.ts';
import { type CheckResult, failedCheck } from '../../shared/server/check-results.ts';
import { checkPages, withRemedy } from '../../shared/server/damaged-store.ts';
import { hasStore } from '../../shared/server/store-lock.ts';
import { AmiClient, type AmiError } from './ami/ami-client.ts';
import type { AmiPacket } from './ami/ami-packets.ts';
import { isReturnAllowed, type PbxSettings } from './settings.ts';
import { PbxStore } from './store/pbx-store.ts';

const loginTimeoutMs = 5000;
const returnTimeoutMs = 3000;
const eventTimeoutMs = 3000;
const damagedStoreRemedy = 'stop the service, move it, its -wal and -shm away, and restore a backup';
const checkId = 'dialmark-check';
/**
 * No agent has this channel. Originate to it shows the right to originate and finds the context, and does not ring a
 * phone.
 */
const unusedChannel = 'Local/dialmark-check@dialmark-check-context-that-does-not-exist';

/** @param to number to be looked for in the context. */
export async function checkInstallation(settings: PbxSettings, to: string): Promise<CheckResult[]> {
  return [
    checkTokenStore(settings),
    ...(await checkAsterisk(settings, to)),
    await checkRecordings(settings),
    ...(await Promise.all(settings.returnHosts.map(checkReturnHost))),
  ];
}

function checkTokenStore({ store }: PbxSettings): CheckResult {
  const what = `store ${resolve(store)}`;
  const wrong = (advice: string): CheckResult => ({ isOk: false, what, advice });
  if (!hasStore(store)) return wrong('there is none yet; see DIALMARK_PBX_STORE, or start the service');
  try {
    const opened = new PbxStore(store);
    const hasToken = opened.tokens().length > 0;
    opened.close();
    checkPages(store);
    return hasToken
      ? { isOk: true, what }
      : wrong('there is no service token in it, so every call is refused: npm run pbx -- token add');
  } catch (error) {
    return wrong(withRemedy((error as Error).message, damagedStoreRemedy));
  }
}

async function checkAsterisk(settings: PbxSettings, to: string): Promise<CheckResult[]> {
  const what = `Asterisk at ${hostInUrl(settings.ami.host)}:${settings.ami.port}`;
  let client: AmiClient | undefined;
  let seeEvent = () => {};
  const eventSeen = new Promise<boolean>((resolve) => (seeEvent = () => resolve(true)));
  try {
    client = await logIn(settings, (event) => event.ActionID === checkId && seeEvent());
  } catch (error) {
    return [
      failedCheck(
        what,
        `${(error as Error).message}; compare DIALMARK_PBX_AMI, DIALMARK_PBX_AMI_USER ` +
          'and its secret with manager.conf',
      ),
    ];
  }
  try {
    return [
      { isOk: true, what },
      await checkRight(
        client,
        { Action: 'Status' },
        'the right to see channels',
        'read = call,dialplan and write = call',
      ),
      ...(await checkOriginate(client, settings, to, eventSeen)),
    ];
  } finally {
    client.stop();
  }
}

function logIn(settings: PbxSettings, onEvent: (event: AmiPacket) => void): Promise<AmiClient> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(new Error('no answer in time')), loginTimeoutMs);
    const client = new AmiClient({
      host: settings.ami.host,
      port: settings.ami.port,
      username: settings.amiUser ?? '',
      secret: settings.amiSecret ?? '',
      onEvent,
      onLogin: async () => {
        clearTimeout(timer);
        resolve(client);
      },
      onLost: (error) => fail(error),
    });
    const fail = (error: Error) => {
      clearTimeout(timer);
      client.stop();
      reject(error);
    };
    client.start();
  });
}

async function checkRight(
  client: AmiClient,
  action: { Action: string },
  what: string,
  rights: string,
): Promise<CheckResult> {
  try {
    await client.list(action, `${action.Action}Complete`);
    return { isOk: true, what };
  } catch (error) {
    return failedCheck(what, `${(error as Error).message}; give the user ${rights} in manager.conf`);
  }
}

/** Asterisk checks the right first, then the extension, and only then the channel. */
async function checkOriginate(
  client: AmiClient,
  { context, extension, priority }: PbxSettings,
  to: string,
  eventSeen: Promise<boolean>,
): Promise<CheckResult[]> {
  const what = `the context ${context}`;
  const exten = extension.replaceAll('{to}', to);
  try {
    await client.action({
      Action: 'Originate',
      ActionID: checkId,
      Channel: unusedChannel,
      Context: context,
      Exten: exten,
      Priority: String(priority),
      Timeout: '1000',
      Async: 'true',
    });
  } catch (error) {
    const { message } = error as AmiError;
    const result = failedCheck(
      what,
      /permission/i.test(message)
        ? 'the user may not originate: give it write = originate,call in manager.conf'
        : `it does not dial ${exten} (${message.replace(/\.$/, '')}); see DIALMARK_PBX_CONTEXT and extensions.conf`,
    );
    return [result];
  }
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, eventTimeoutMs, false).unref());
  const hasEvents = await Promise.race([eventSeen, late]);
  const events = { isOk: hasEvents, what: 'the right to see events' };
  return [
    { isOk: true, what },
    hasEvents ? events : { ...events, advice: 'give the user read = call,dialplan in manager.conf' },
  ];
}

async function checkRecordings({ recordingsFolder, recordingsUrl }: PbxSettings): Promise<CheckResult> {
  const what = 'recordings';
  if (recordingsUrl !== undefined) return { isOk: true, what, advice: `served at ${recordingsUrl}` };
  if (recordingsFolder === undefined)
    return { isOk: true, what, advice: 'none: DIALMARK_PBX_RECORDINGS_FOLDER is not set' };
  try {
    await access(recordingsFolder, constants.R_OK | constants.X_OK);
    return { isOk: true, what, advice: recordingsFolder };
  } catch (error) {
    return failedCheck(
      what,
      `${recordingsFolder} cannot be read (${(error as NodeJS.ErrnoException).code}): ` +
        'expected a folder that this user may read, in DIALMARK_PBX_RECORDINGS_FOLDER',
    );
  }
}

/** Any reply is enough, because the address of a notification is not known before a call. */
async function checkReturnHost(host: string): Promise<CheckResult> {
  const what = `notifications to ${host}`;
  const addresses = ['', 'https://', 'http://'].map((scheme) => scheme + host);
  for (const address of addresses.filter((each) => isReturnAllowed({ returnHosts: [host] }, each)))
    try {
      await fetch(`${new URL(address).origin}/healthz`, {
        signal: AbortSignal.timeout(returnTimeoutMs),
        redirect: 'manual',
      });
      return { isOk: true, what };
    } catch {
      // Then the other scheme is tried.
    }
  return failedCheck(what, 'nothing answers there; start the relay, or change DIALMARK_PBX_RETURN_HOSTS');
}
