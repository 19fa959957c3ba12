/** Tries the addresses that a call would use, without placing one, and names what is wrong. */
import { isLoopback, withoutTrailingSlash } from '../../../shared/address.ts';
import type { SecretName, TypedSecrets } from '../../messages/pages.ts';
import type { ConnectionCause, ConnectionTest } from '../../messages/views.ts';
import type { Settings } from '../../settings.ts';
import { eitherOf, text } from '../../text.ts';
import { readSecret, whyMissing } from '../settings/secrets.ts';
import { probeAddress } from './probe-address.ts';
import { checkKey, keyCheckPath } from './relay-client.ts';
import { isInsecure, mayReach } from './route.ts';

type Check = ConnectionTest['checks'][number];
type ConnectionFault = { cause: ConnectionCause; detail?: string } | undefined;

/** @param settings to test, saved or not. @param typed secrets in place of the saved ones. */
export async function testConnection(settings: Settings, typed: TypedSecrets): Promise<ConnectionTest> {
  const { mode, relayUrl, direct } = settings.connection;
  const addresses: [Check['what'], string | undefined][] = [];
  if (mode === 'relay' || relayUrl !== undefined) addresses.push(['relay', relayUrl]);
  if (mode === 'direct' && direct.useLocal) addresses.push(['local', direct.localUrl]);
  else if (mode === 'direct') {
    addresses.push(['primary', direct.primaryUrl]);
    if (direct.secondaryUrl !== undefined) addresses.push(['secondary', direct.secondaryUrl]);
  }
  const checks: Check[] = [];
  for (const [what, url] of addresses) checks.push(await checkAddress(what, url, settings, typed));
  const needed = checks.filter(({ what }) => what !== 'secondary');
  return { ok: needed.every(({ ok }) => ok), checks };
}

async function checkAddress(
  what: Check['what'],
  url: string | undefined,
  settings: Settings,
  typed: TypedSecrets,
): Promise<Check> {
  const fault = await faultOf(what, url, settings, typed);
  const okSentence = text(what === 'relay' ? 'cause_ok_relay' : 'cause_ok_service');
  return {
    what,
    url: url ?? '',
    ok: fault === undefined,
    ...(fault && { cause: fault.cause }),
    sentence: fault ? text(`cause_${fault.cause}`, fault.detail ?? '') : okSentence,
  };
}

async function faultOf(
  what: Check['what'],
  url: string | undefined,
  settings: Settings,
  typed: TypedSecrets,
): Promise<ConnectionFault> {
  if (url === undefined) return { cause: 'notConfigured' };
  if (isInsecure(url, settings)) return { cause: 'insecure' };
  return what === 'relay' ? relayCause(url, settings, typed) : serviceCause(url, settings, typed);
}

/** The secret to test with: what was typed, else what was saved for the addresses to test. */
async function secretFor(
  name: SecretName,
  settings: Settings,
  typed: TypedSecrets,
): Promise<{ secret: string } | { cause: ConnectionCause }> {
  const given = typed[name];
  if (given) return { secret: given };
  const saved = given === null ? undefined : await readSecret(name, settings);
  return saved === undefined ? { cause: await whyMissing(name, settings) } : { secret: saved };
}

async function relayCause(url: string, settings: Settings, typed: TypedSecrets): Promise<ConnectionFault> {
  const found = await secretFor('agentKey', settings, typed);
  if ('cause' in found) return found;
  const outcome = await checkKey({ url, key: found.secret });
  if (outcome.kind === 'ok') return callerCause(outcome.value.callers, settings.agent.from);
  if (outcome.kind === 'unreadable') return { cause: 'notTheRelay' };
  if (outcome.kind === 'notTheRelay') return { cause: outcome.status === 404 ? 'wrongPath' : 'notTheRelay' };
  if (outcome.kind === 'problem') {
    const isOfKey = outcome.status === 401 || outcome.status === 403;
    if (isOfKey && outcome.problem) return { cause: 'wrongKey' };
    if (outcome.status === 404) return { cause: 'wrongPath' };
    return { cause: 'serverError', detail: String(outcome.status) };
  }
  const fault = await causeOfNoAnswer(url, outcome.timedOut);
  const hasNoAnswer = fault?.cause === 'unreachable' || fault?.cause === 'tls';
  return hasNoAnswer && (await isRedirected(url)) ? { cause: 'notTheRelay' } : fault;
}

/** A request with a key fails at a redirect as if nothing answered. The probe reports a redirect as status 0. */
async function isRedirected(url: string): Promise<boolean> {
  return (await probeAddress(withoutTrailingSlash(url) + keyCheckPath)).status === 0;
}

/** Whether the key belongs to the agent in the settings. @param callers undefined if the relay does not name them. */
function callerCause(callers: readonly string[] | undefined, from: string | undefined): ConnectionFault {
  if (callers === undefined) return undefined;
  if (from === undefined)
    return callers.length > 1 ? { cause: 'chooseExtension', detail: eitherOf(callers) } : undefined;
  return callers.includes(from) ? undefined : { cause: 'otherExtension', detail: eitherOf(callers) };
}

async function serviceCause(url: string, settings: Settings, typed: TypedSecrets): Promise<ConnectionFault> {
  const found = await secretFor('serviceToken', settings, typed);
  if ('cause' in found) return found;
  if (!(await mayReach(url))) return { cause: 'noPermission' };
  const outcome = await probeAddress(url);
  if (outcome.status === undefined) return causeOfNoAnswer(url, outcome.timedOut);
  return outcome.status >= 502 && outcome.status <= 504
    ? { cause: 'serverError', detail: String(outcome.status) }
    : undefined;
}

/** Browsers hide why a connection failed; a second request narrows the cause as far as it can. */
async function causeOfNoAnswer(url: string, timedOut: boolean): Promise<ConnectionFault> {
  if (!(await mayReach(url))) return { cause: 'noPermission' };
  if (timedOut) return { cause: 'timeout' };
  const address = new URL(url);
  if (address.protocol === 'https:') {
    // A TLS port answers plain http with an error. If nothing listens there, nothing answers.
    address.protocol = 'http:';
    if (address.port === '') address.port = '443';
    const plain = await probeAddress(address.href);
    return { cause: plain.status === undefined ? 'unreachable' : 'tls' };
  }
  return { cause: wasUpgraded(url) && !isLoopback(address) ? 'httpsOnly' : 'unreachable' };
}

/** A browser in https-only mode requests https instead of the given http address. Its resource timing shows that. */
function wasUpgraded(url: string): boolean {
  const https = url.replace(/^http:/, 'https:');
  return performance.getEntriesByType('resource').some(({ name }) => name.startsWith(https));
}
