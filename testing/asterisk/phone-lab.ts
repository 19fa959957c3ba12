/** All that a test at real phones needs: Asterisk, phones, the built calling service and a `returnurl`. */
import { type Receiver, startReceiver } from '../servers/receiver.ts';
import { until } from '../until.ts';
import { type AmiProxy, startAmiProxy } from './ami-proxy.ts';
import { type PbxServiceProcess, startPbxServiceProcess } from './pbx-service-process.ts';
import { type SipPhone, startPhone } from './sip-phone.ts';
import type { PhoneBehaviour } from './sip-scenario.ts';
import { type Asterisk, startAsterisk } from './start-asterisk.ts';

export type NotificationBody = Record<string, unknown> & { event: string };

export interface CallReply {
  /** 0 where the connection broke before a reply. */
  status: number;
  body: Record<string, string>;
}

export interface PhoneLab {
  readonly asterisk: Asterisk;
  readonly service: PbxServiceProcess;
  /** Between service and Asterisk. */
  readonly ami: AmiProxy;
  readonly receiver: Receiver;
  phone(at: 'agent' | 'far', behaviour?: PhoneBehaviour): Promise<SipPhone>;
  /** Asks for a call with every event. @param fields replace those of the request. */
  call(fields?: Record<string, unknown>, idempotencyKey?: string): Promise<CallReply>;
  /** The notifications so far. */
  notified(callid?: unknown): NotificationBody[];
  /** Resolves with the notification of the end, which may be `unknown`. */
  end(callid: unknown): Promise<NotificationBody>;
  /** Ends the phones and forgets what was notified. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** @param returnHosts hosts that may be notified, besides the lab's own receiver. */
export async function openPhoneLab(
  agents: readonly string[] = ['1105'],
  returnHosts: readonly string[] = [],
): Promise<PhoneLab> {
  const receiver = await startReceiver();
  const asterisk = await startAsterisk(agents);
  const ami = await startAmiProxy(asterisk.ports.ami);
  const service = await startPbxServiceProcess(asterisk, {
    AMI: ami.address,
    RETURN_HOSTS: [new URL(receiver.url).host, ...returnHosts].join(','),
  });
  await service.untilReady();
  let phones: SipPhone[] = [];
  const lab: PhoneLab = {
    asterisk,
    service,
    ami,
    receiver,
    async phone(at, behaviour) {
      const started = await startPhone(asterisk, at, behaviour);
      phones.push(started);
      return started;
    },
    async call(fields = {}, idempotencyKey) {
      try {
        const response = await fetch(`${service.url}/call`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${service.token}`,
            'content-type': 'application/json',
            ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
          },
          body: JSON.stringify({
            from: '1105',
            to: '5511999990000',
            timeout: 3,
            events: 'all',
            returnurl: receiver.url,
            ...fields,
          }),
        });
        return { status: response.status, body: (await response.json()) as Record<string, string> };
      } catch {
        return { status: 0, body: {} };
      }
    },
    notified: (callid) =>
      receiver.received
        .map(({ body }) => body as NotificationBody)
        .filter((body) => callid === undefined || body.callid === callid),
    end: (callid) =>
      until(
        () => lab.notified(callid).find(({ event }) => ['hangup', 'lost-call', 'unknown'].includes(event)),
        `the end of ${callid}; service: ${service.output().slice(-2000)}`,
      ),
    async reset() {
      await Promise.all(phones.map((phone) => phone.stop()));
      phones = [];
      receiver.received.length = 0;
      receiver.answer = (_one, response) => void response.writeHead(204).end();
    },
    async close() {
      await lab.reset();
      await service.stop();
      await ami.close();
      await asterisk.close();
      await receiver.close();
    },
  };
  return lab;
}
