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

/** Time for the provider's answer beyond ringing the caller's phone. */
const answerMarginMs = 8000;

type DialFact = Extract<Fact, { kind: 'accepted' | 'refused' | 'notAnswered' | 'lostCall' | 'notSent' }>;

/** How much later than its limit a connection may come. A busy machine is late, and a paused one much later. */
const connectMarginMs = 5000;

interface DialOutcome {
  fact: DialFact;
  /** How many addresses were tried. The last of them has the call, where one has. */
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

/** @param hasEvents whether an address announced that it reports all events: these are asked for there alone. */
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
      // The person who clicked has long given up a call that would start later.
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
