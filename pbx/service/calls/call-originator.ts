/**
 * Places calls on Asterisk, each at most once (Law 1). A call is stored before Originate is sent. Its channel
 * has an id of ours. No Originate is sent a second time.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { shownOrigin } from '../../../shared/service/outgoing-notification.ts';
import type { CallRequestWithEvents } from '../../../shared/service/request.ts';
import { type AmiClient, AmiError } from '../ami/ami-client.ts';
import type { PbxStore } from '../store/pbx-store.ts';
import type { StoredCall } from '../store/schema.ts';
import { newProgress } from './call-progress.ts';
import type { OpenCalls } from './open-calls.ts';

interface DialPlan {
  /** Channel of an agent; `{from}` stands for the agent's code. */
  agentChannel: string;
  /** Where the number is dialled once the agent has answered. */
  context: string;
  /** `{to}` stands for the digits. */
  extension: string;
  priority: number;
}

export type Originated =
  | { kind: 'trying'; callid: string }
  /** Nothing rings: `code` is of a closed list, `message` says what to do. */
  | { kind: 'refused'; code: RefusalCode; message: string }
  /** Originate was sent, but Asterisk did not answer. A phone may ring. */
  | { kind: 'unknown'; callid: string };

export type RefusalCode =
  | 'pbx-unreachable'
  | 'store-failed'
  | 'number-unknown'
  | 'pbx-refused'
  | 'key-reused';

interface CallOriginatorOptions {
  store: Pick<PbxStore, 'addCall' | 'callOfKey' | 'call'>;
  ami: Pick<AmiClient, 'isReady' | 'action'>;
  openCalls: Pick<OpenCalls, 'add' | 'settle'>;
  dialPlan: DialPlan;
  defaultTimeoutSeconds: number;
  log: Logger;
  now?: (() => number) | undefined;
}

export class CallOriginator {
  private readonly placing = new Map<string, Promise<Originated>>();

  constructor(private readonly options: CallOriginatorOptions) {}

  /**
   * @param tokenId of the token that the call belongs to.
   * @param idempotencyKey if this token has used the key before, the same call is the answer, whatever became of it.
   */
  async place(
    request: CallRequestWithEvents,
    tokenId: string,
    idempotencyKey: string | undefined,
  ): Promise<Originated> {
    const { store, ami, openCalls, log, now = Date.now } = this.options;
    // While Asterisk is away, new calls are refused and not queued. A key that was used before is still answered.
    if (!ami.isReady && idempotencyKey === undefined) return unreachable;
    const callid = randomUUID();
    const call: StoredCall = {
      callid,
      tokenId,
      fingerprint: fingerprintOf(request),
      request,
      createdAt: now(),
      phase: 'sending',
      progress: newProgress(callid, `originate-${callid}`),
    };
    try {
      const known = ami.isReady
        ? store.addCall(call, idempotencyKey)
        : store.callOfKey(tokenId, idempotencyKey!);
      if (known && known.fingerprint !== call.fingerprint) return keyReused;
      if (known) return (await this.placing.get(known.callid)) ?? placedAs(store.call(known.callid)!);
    } catch (error) {
      log.error({ error: (error as Error).message }, 'a call could not be written down');
      return storeFailed;
    }
    if (!ami.isReady) return unreachable;
    openCalls.add(call);
    const placed = this.originate(call).finally(() => this.placing.delete(callid));
    this.placing.set(callid, placed);
    return placed;
  }

  private async originate(call: StoredCall): Promise<Originated> {
    const { ami, openCalls, dialPlan, defaultTimeoutSeconds, log } = this.options;
    const { callid, request, progress } = call;
    const origin = shownOrigin(request);
    try {
      await ami.action({
        Action: 'Originate',
        ActionID: progress.actionId,
        Channel: dialPlan.agentChannel.replaceAll('{from}', request.from),
        ChannelId: progress.channelId,
        Context: dialPlan.context,
        Exten: dialPlan.extension.replaceAll('{to}', request.to),
        Priority: String(dialPlan.priority),
        Timeout: String((request.timeout ?? defaultTimeoutSeconds) * 1000),
        // Both phones show this caller id. If it were the dialled number, the callee would see their own number.
        CallerID: request.callerid ?? origin,
        Variable: [`__DIALMARK_CALLID=${callid}`, `__DIALMARK_ORIGIN=${origin}`],
        Async: 'true',
      });
    } catch (error) {
      if (!(error instanceof AmiError)) throw error;
      if (error.code === 'timeout' || error.code === 'connectionLost') {
        log.warn({ callid, code: error.code }, 'Asterisk did not answer an Originate; the call may ring');
        openCalls.settle(callid, 'unknown');
        return { kind: 'unknown', callid };
      }
      openCalls.settle(callid, 'refused');
      if (error.code === 'notConnected') return unreachable;
      return error.message === 'Extension does not exist.'
        ? refusedCall(
            'number-unknown',
            `to: expected a number that the context ${dialPlan.context} can dial, got ${request.to}; ` +
              'an Asterisk that is just starting knows none of them yet',
          )
        : refusedCall('pbx-refused', `Asterisk refused the call: ${error.message}`);
    }
    openCalls.settle(callid, 'placed');
    return { kind: 'trying', callid };
  }
}

function fingerprintOf(request: CallRequestWithEvents): string {
  const fields = Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url');
}

const refusedCall = (code: RefusalCode, message: string): Originated => ({ kind: 'refused', code, message });

const unreachable = refusedCall(
  'pbx-unreachable',
  'Asterisk is not reachable; nothing was placed. Try again in a moment.',
);
const storeFailed = refusedCall(
  'store-failed',
  'The service cannot use its store; nothing was placed. Its operator finds the reason in its log.',
);
const keyReused = refusedCall(
  'key-reused',
  'Idempotency-Key: expected the same request as before, got another; use a new key for each call',
);

/** The answer to a repeated request, by the stored phase of its call. */
function placedAs({ phase, callid }: StoredCall): Originated {
  if (phase === 'refused') return refusedCall('pbx-refused', 'Asterisk refused this call.');
  return phase === 'sending' || phase === 'unknown'
    ? { kind: 'unknown', callid }
    : { kind: 'trying', callid };
}
