/** Request Tracker 5, as the stories at applications start it, for the contract of connectors. */
import { ensureCrmPackages } from '../applications/application-packages.ts';
import { startRequestTracker } from '../applications/request-tracker.ts';
import type { Cleanup } from '../cleanup.ts';
import { askJson, type RealCrm } from './real-crm.ts';

const headers = { authorization: `Basic ${Buffer.from('root:password').toString('base64')}` };

interface RealRt extends RealCrm {
  merge(ticket: string, into: string): Promise<void>;
  remove(ticket: string): Promise<void>;
  /** A token of root's, and how to revoke it. */
  addToken(): Promise<{ token: string; revoke(): Promise<void> }>;
}

export async function startRt(cleanup: Cleanup): Promise<RealRt> {
  const tracker = await startRequestTracker(await ensureCrmPackages(), cleanup);
  const ask = (path: string, body?: object, method?: string) =>
    askJson(tracker.url(`/REST/2.0${path}`), headers, body, method);
  return {
    url: tracker.url(''),
    settings: { KIND: 'rt', USER: 'root', TOKEN: 'password' },
    pattern: '/Ticket/Display.html?id={id}',
    kind: 'ticket',
    records: ['1', '2'],
    missing: '999',
    who: /^Request Tracker 5\.\S+ as root$/,
    readerLacks: /^CommentOnTicket on the queue of ticket \d+$/,
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
    async addReader() {
      const reader = { Name: 'reader', Password: 'reader-demo-1', Privileged: 1, Disabled: 0 };
      await ask('/user', reader);
      await tracker.perl(
        'my $u = RT::User->new(RT->SystemUser); $u->Load("reader"); ' +
          'my $q = RT::Queue->new(RT->SystemUser); $q->Load("General"); ' +
          '$u->PrincipalObj->GrantRight(Right => $_, Object => $q) for qw(SeeQueue ShowTicket ShowTicketComments);',
      );
      return { USER: reader.Name, TOKEN: reader.Password };
    },
    people: {
      hasOrganisation: true,
      uid: (id) => `user/${id}`,
      async add({ name, organisation, phone }) {
        const user = { Name: name, RealName: name, Organization: organisation, WorkPhone: phone };
        await ask('/user', user);
        // The answer has the name for an id.
        return String((await ask(`/user/${encodeURIComponent(name)}`)).id);
      },
      setPhone: (id, phone) => ask(`/user/${id}`, { WorkPhone: phone }, 'PUT'),
      archive: (id) => ask(`/user/${id}`, { Disabled: 1 }, 'PUT'),
    },
    restart: () => tracker.restart(),
    remove: (ticket) => ask(`/ticket/${ticket}`, { Status: 'deleted' }, 'PUT'),
    async addToken() {
      const made = await tracker.perl(
        'my $t = RT::AuthToken->new(RT->SystemUser); ' +
          'my ($id, undef, $text) = $t->Create(Owner => 14, Description => "relay"); print "$id $text";',
      );
      const [id, token] = made.trim().split(' ');
      const load = 'my $t = RT::AuthToken->new(RT->SystemUser); $t->Load';
      return { token: token!, revoke: async () => void (await tracker.perl(`${load}(${id}); $t->Delete;`)) };
    },
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
