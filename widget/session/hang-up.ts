import { readReplyJson } from './read-json.ts';
import { fetchWithTicket, type TicketSupplier } from './ticket.ts';

/** Asks the relay to end a call. @returns true if the relay accepted, or the call was over already. */
export async function hangUpAtRelay(relay: string, getTicket: TicketSupplier, id: string): Promise<boolean> {
  try {
    const send = async (isRejected?: boolean) =>
      fetchWithTicket(await getTicket(isRejected), `${relay}/v1/calls/${id}`, { method: 'DELETE' });
    let response = await send();
    // The ticket may have expired while the two talked.
    if (response.status === 401) response = await send(true);
    return response.ok || ((await readReplyJson(response)) as { code?: string }).code === 'callFinished';
  } catch {
    return false;
  }
}
