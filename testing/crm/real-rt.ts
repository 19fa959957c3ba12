/** Request Tracker 5 for the contract of connectors, started as for the browser tests. */
import { ensureCrmPackages } from '../applications/application-packages.ts';
import { startRequestTracker } from '../applications/request-tracker.ts';
import type { Cleanup } from '../cleanup.ts';
import { askJson, type RealCrm } from './real-crm.ts';

interface RealRt extends RealCrm {
  merge(ticket: string, into: string): Promise<void>;
  remove(ticket: string): Promise<void>;
  /** @returns the settings of a user of the relay's with these rights on the queue of every ticket. */
  addUser(name: string, ...rights: string[]): Promise<Record<string, string>>;
  minutesWorked(ticket: string): Promise<number>;
  /** A token of root's, and how to revoke it. */
  addToken(): Promise<{ token: string; revoke(): Promise<void> }>;
}

export async function startRt(cleanup: Cleanup): Promise<RealRt> {
  const tracker = await startRequestTracker(await ensureCrmPackages(), cleanup);
  const login = new URLSearchParams({ user: 'root', pass: 'password' });
  const loggedIn = await fetch(tracker.url('/NoAuth/Login.html'), {
    ...{ method: 'POST', body: login, redirect: 'manual' },
  });
  // A session saves time: RT hashes a password or token for a quarter of a second at every request.
  const headers = { cookie: loggedIn.headers.getSetCookie()[0]!.split(';')[0]! };
  const ask = (path: string, body?: object, method?: string) =>
    askJson(tracker.url(`/REST/2.0${path}`), headers, body, method);
  const addUser = async (name: string, ...rights: string[]) => {
    const user = { Name: name, Password: `${name}-demo-1`, Privileged: 1, Disabled: 0 };
    await ask('/user', user);
    await tracker.perl(
      `my $u = RT::User->new(RT->SystemUser); $u->Load("${name}"); ` +
        'my $q = RT::Queue->new(RT->SystemUser); $q->Load("General"); ' +
        `$u->PrincipalObj->GrantRight(Right => $_, Object => $q) for qw(${rights.join(' ')});`,
    );
    return { USER: user.Name, TOKEN: user.Password };
  };
  // A check needs a comment to see that it may read comments.
  await ask('/ticket/1/comment', { Content: 'The invoice was sent again.', ContentType: 'text/plain' });
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
    addUser,
    addReader: () => addUser('reader', 'SeeQueue', 'ShowTicket', 'ShowTicketComments'),
    minutesWorked: async (ticket) => Number((await ask(`/ticket/${ticket}`)).TimeWorked),
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
      await mergeAt(tracker.url(`/Ticket/ModifyLinks.html?${query}&${login}`));
    },
  };
}

/** Merges by `fetch`. The answer is a redirect with a body that is too long, which `node:http` refuses. */
async function mergeAt(address: string): Promise<void> {
  const { status } = await fetch(address, { redirect: 'manual' });
  if (status !== 302) throw new Error(`Request Tracker does not merge: HTTP ${status}`);
}
