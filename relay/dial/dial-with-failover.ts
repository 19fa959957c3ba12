/** Places one call at the primary address; at the secondary only if nothing was sent to the primary (Law 1). */
import type { CallError, Fact } from '../../shared/call/call.ts';
import { readReply, replyWithoutSecrets } from '../../shared/service/reply.ts';
import {
  buildCall,
  type CallRequest,
  type CallRequestWithEvents,
  defaultTimeoutSeconds,
} from '../../shared/service/request.ts';
import { capabilityIn } from '../../shared/service/without-secrets.ts';
import type { ProviderSettings } from '../settings.ts';
import { type SendLimits, sendOnce } from './send-once.ts';

/** How much longer than the ringing of the caller's phone the provider's answer may take. */
const answerMarginMs = 8000;

type DialFact = Extract<Fact, { kind: 'accepted' | 'refused' | 'notAnswered' | 'lostCall' | 'notSent' }>;

/**
 * How long after its time limit a connection may still be used. A busy machine is late, and a paused one much later.
 */
const connectMarginMs = 5000;

interface DialOutcome {
  fact: DialFact;
  /** How many addresses were tried. If an address has the call, it is the last of these. */
  tried: number;
}

export function sendLimits(timeoutSeconds: number | undefined, connectTimeoutSeconds: number): SendLimits {
  return {
    connectTimeoutMs: connectTimeoutSeconds * 1000,
    answerTimeoutMs: (timeoutSeconds ?? defaultTimeoutSeconds) * 1000 + answerMarginMs,
  };
}

/** The longest that a dial with these limits can take. */
export function maxDialMs(limits: SendLimits, addresses: number): number {
  return (limits.connectTimeoutMs + limits.answerTimeoutMs) * addresses + answerMarginMs;
}

/**
 * @param hasEvents whether an address announced that it reports all events. Only requests to such an address ask for
 * them.
 */
export async function dial(
  provider: ProviderSettings,
  request: CallRequest,
  limits: SendLimits,
  hasEvents: (address: string) => boolean = () => false,
): Promise<DialOutcome> {
  let unsent: CallError = { code: 'notConfigured', message: 'the relay has no address of the service' };
  const secrets = [provider.token, capabilityIn(request.returnurl)];
  const startedAt = Date.now();
  let tried = 0;
  for (const address of provider.addresses) {
    tried += 1;
    const lastMoment = startedAt + limits.connectTimeoutMs * tried + connectMarginMs;
    const asked: CallRequestWithEvents = hasEvents(address) ? { ...request, events: 'all' } : request;
    const sent = await sendOnce(
      buildCall(address, asked, { token: provider.token, tokenIn: provider.tokenIn }, provider.method),
      // A call may not start later: the person who clicked has given it up by then.
      { ...limits, mayStillSend: () => Date.now() <= lastMoment },
    );
    const at = new Date().toISOString();
    if (sent.kind === 'answered')
      return { fact: readReply(replyWithoutSecrets(sent.reply, secrets), at), tried };
    if (sent.kind === 'notAnswered')
      return { fact: { kind: 'notAnswered', at, error: { code: sent.code, message: sent.message } }, tried };
    unsent = { code: sent.code, message: sent.message };
  }
  return { fact: { kind: 'notSent', at: new Date().toISOString(), error: unsent }, tried };
}
