/** Sends POST /v1/calls with a ticket that has the right to dial. */
import { Call } from '../../shared/call/call.ts';
import { sendWithinMs } from '../../shared/call/send-within.ts';
import { readReplyJson } from '../session/read-json.ts';
import { fetchWithTicket, type TicketSupplier } from '../session/ticket.ts';
import { type DialFault, dialFaults, WidgetError } from '../widget-error.ts';

const maxAttempts = 3;

/**
 * Each press has one Idempotency-Key, so that a retry after a lost reply never dials twice (Law 1).
 * @param to digits.
 * @throws WidgetError whose code says whether the call may have been placed.
 */
export async function placeCallByTicket(relay: string, getTicket: TicketSupplier, to: string): Promise<Call> {
  const key = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const sendUntil = Date.now() + sendWithinMs;
  let fault: DialFault = 'notPlaced';
  let isRejected = false;
  let problem: unknown = 'late';
  for (let attempt = 1; ; attempt++) {
    const before: DialFault = fault;
    try {
      const ticket = await getTicket(isRejected);
      // The computer may have slept meanwhile.
      if (Date.now() > sendUntil) break;
      fault = 'perhapsPlaced';
      const response = await fetchWithTicket(ticket, `${relay}/v1/calls`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ to }),
      });
      const reply = (await readReplyJson(response)) as { code?: DialFault };
      const call = Call.safeParse(reply).data;
      if (response.ok && call) return call;
      isRejected = response.status === 401;
      if (isRejected) fault = before;
      else if (response.status < 500 && !response.ok) {
        // A refusal is only about this attempt. An earlier attempt without a reply may have placed the call, or may
        // still arrive.
        fault =
          before === 'perhapsPlaced' ? before : (dialFaults.find((each) => each === reply.code) ?? before);
        attempt = maxAttempts;
      }
      throw new Error(`HTTP ${response.status} ${reply.code ?? ''}`);
    } catch (error) {
      problem = error;
      if (attempt >= maxAttempts) break;
      await new Promise((resolve) => setTimeout(resolve, 500 * attempt));
    }
  }
  throw new WidgetError(fault, String(problem));
}
