/**
 * Odoo (tried with 14.0): the entry is an internal note (`message_post`), whose author is the agent where `_USERS` maps
 * the extension to a user.
 */
import {
  type Connector,
  type CrmSettings,
  endsWithMarker,
  type FoundEntry,
  type LogEntry,
} from './connector.ts';
import type { CrmClient } from './crm-client.ts';
import { CrmError } from './crm-error.ts';
import { odooRpc } from './odoo-rpc.ts';

export function odooConnector(settings: CrmSettings): Connector {
  const { logIn, version, execute } = odooRpc(settings);
  const authors = new Map<string, number>();
  return {
    async find({ marker, record }: LogEntry, client): Promise<FoundEntry | undefined> {
      const conditions = [
        ['model', '=', record.kind],
        ['res_id', '=', Number(record.id)],
        ['body', 'ilike', marker],
      ];
      const messages = (await execute(client, ['mail.message', 'search_read'], [conditions, ['body']])) as {
        body: string;
      }[];
      return messages.some(({ body }) => endsWithMarker(textOf(body), marker)) ? {} : undefined;
    },

    async create({ record, text, login }, client) {
      const post = {
        body: htmlOf(text),
        subtype_xmlid: 'mail.mt_note',
        ...(login === undefined ? {} : { author_id: await authorNamed(login, client) }),
      };
      const id = await execute(client, [record.kind, 'message_post'], [[Number(record.id)]], post, true);
      if (typeof id !== 'number') throw new CrmError('unsure', 'noId');
      return {};
    },

    async check(client) {
      await logIn(client);
      await execute(client, ['mail.message', 'search_count'], [[['id', '=', 0]]]);
      return `Odoo ${await version(client)} as ${settings.user}, database ${settings.database}`;
    },
  };

  /** @returns the contact of a user, who keeps it; asked once for each login while the relay runs. */
  async function authorNamed(login: string, client: CrmClient): Promise<number> {
    const known = authors.get(login);
    if (known !== undefined) return known;
    const query = [[['login', '=', login]], ['partner_id']];
    const [user] = (await execute(client, ['res.users', 'search_read'], query)) as {
      partner_id: [number, string];
    }[];
    if (!user) throw new CrmError('misconfigured', `unknownUser:${login}`);
    authors.set(login, user.partner_id[0]);
    return user.partner_id[0];
  }
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Odoo takes a message's body for HTML. */
const htmlOf = (text: string) =>
  text.replace(/[&<>"]/g, (character) => escapes[character]!).replaceAll('\n', '<br/>');

/** Only as much of HTML as `htmlOf` writes and Odoo's cleaning adds. */
const textOf = (html: string) => html.replace(/<br\s*\/?>/g, '\n').replace(/<[^>]*>/g, '');
