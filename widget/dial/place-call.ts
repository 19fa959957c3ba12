/** POST /v1/calls with a ticket that may dial (design 4). */
import { Call } from '../../shared/call/call.ts';
import { readJson } from '../follow/read-json.ts';
import { type TicketKeeper, withTicket } from '../follow/ticket.ts';
import { type DialFault, dialFaults, WidgetError } from '../widget-error.ts';

const tries = 3;

/**
 * One press is one Idempotency-Key, so asking again after a lost answer never dials twice (Law 1).
 * @param to digits. @throws WidgetError whose code says whether the call may have been placed.
 */
export async function placeCall(relay: string, tickets: TicketKeeper, to: string): Promise<Call> {
  const key = crypto.getRandomValues(new Uint32Array(4)).join('-');
  let fault: DialFault = 'notPlaced';
  let refused = false;
  for (let tried = 1; ; tried++) {
    const before: DialFault = fault;
    try {
      const ticket = await tickets(refused);
      fault = 'perhapsPlaced';
      const response = await withTicket(ticket, `${relay}/v1/calls`, new AbortController().signal, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ to }),
      });
      const answer = (await readJson(response)) as { code?: DialFault };
      const call = Call.safeParse(answer).data;
      if (response.ok && call) return call;
      refused = response.status === 401;
      if (refused) fault = before;
      else if (response.status < 500 && !response.ok) {
        // The relay knows the key, so this no holds for every try before.
        fault = dialFaults.includes(answer.code!) ? answer.code! : 'notPlaced';
        tried = tries;
      }
      throw new Error(`HTTP ${response.status} ${answer.code ?? ''}`);
    } catch (error) {
      if (tried >= tries) throw new WidgetError(fault, String(error));
      await new Promise((resolve) => setTimeout(resolve, 500 * tried));
    }
  }
}
