/** Request Tracker 5, as the stories at applications start it, for the contract of connectors. */
import { ensureCrmPackages } from '../applications/application-packages.ts';
import { startRequestTracker } from '../applications/request-tracker.ts';
import type { Cleanup } from '../cleanup.ts';
import { askJson, type RealCrm } from './real-crm.ts';

const headers = { authorization: `Basic ${Buffer.from('root:password').toString('base64')}` };

interface RealRt extends RealCrm {
  merge(ticket: string, into: string): Promise<void>;
}

export async function startRt(cleanup: Cleanup): Promise<RealRt> {
  const tracker = await startRequestTracker(await ensureCrmPackages(), cleanup);
  const ask = (path: string, body?: object) => askJson(tracker.url(`/REST/2.0${path}`), headers, body);
  return {
    url: tracker.url(''),
    settings: { KIND: 'rt', USER: 'root', TOKEN: 'password' },
    pattern: '/Ticket/Display.html?id={id}',
    kind: 'ticket',
    records: ['1', '2'],
    missing: '999',
    who: /^Request Tracker 5\.\S+ as root$/,
    isCreation: (method, path) => method === 'POST' && path.endsWith('/comment'),
    async texts(id) {
      const query = encodeURIComponent(`TicketId = ${id} AND Type = 'Comment'`);
      const { items } = await ask(`/transactions?query=${query}&per_page=100&orderby=id`);
      const texts: string[] = [];
      for (const item of items) {
        const parts = await ask(`/transaction/${item.id}/attachments?fields=Content`);
        texts.push(...parts.items.map(({ Content }: { Content: string }) => Content));
      }
      return texts;
    },
    async addRecord(phone = '-') {
      const ticket = { Queue: 'General', Subject: 'A call', CustomFields: { Telefone: phone } };
      return (await ask('/ticket', ticket)).id;
    },
    restart: () => tracker.restart(),
    async merge(ticket, into) {
      const query = new URLSearchParams({ id: ticket, [`${ticket}-MergeInto`]: into, SaveChanges: '1' });
      const login = new URLSearchParams({ user: 'root', pass: 'password' });
      // Its answer is a redirect with a body longer than it says, which Node's own parser refuses.
      const address = tracker.url(`/Ticket/ModifyLinks.html?${query}&${login}`);
      const { status } = await fetch(address, { redirect: 'manual' });
      if (status !== 302) throw new Error(`Request Tracker does not merge: HTTP ${status}`);
    },
  };
}
