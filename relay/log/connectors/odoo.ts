/**
 * Odoo (tried with 14.0): the entry is an internal note (`message_post`), whose author is the agent where `_USERS` maps
 * the extension to a user.
 */
import {
  absentEntry,
  type Connector,
  type CrmSettings,
  endsWithMarker,
  type FoundEntry,
  type SoughtEntry,
} from './connector.ts';
import type { CrmClient } from './crm-client.ts';
import { CrmError, UnknownUser } from './crm-error.ts';
import { odooRpc } from './odoo-rpc.ts';

/**
 * Records on which users may write notes with only the right to read: Odoo's `_mail_post_access`. Any other kind needs
 * the right to write.
 */
const notedByReaders: readonly string[] = ['project.task', 'account.move'];

export function odooConnector(settings: CrmSettings): Connector {
  const { logIn, version, execute } = odooRpc(settings);
  const authors = new Map<string, number>();
  const find = async (
    { marker, record }: SoughtEntry,
    client: CrmClient,
  ): Promise<FoundEntry | undefined> => {
    const conditions = [
      ['model', '=', record.kind],
      ['res_id', '=', Number(record.id)],
      ['body', 'ilike', marker],
    ];
    const messages = (await execute(client, ['mail.message', 'search_read'], [conditions, ['body']])) as {
      body: string;
    }[];
    return messages.some(({ body }) => endsWithMarker(plainTextOf(body), marker)) ? {} : undefined;
  };
  return {
    find,

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

    async check(client, kinds) {
      await logIn(client);
      const who = `Odoo ${await version(client)} as ${settings.user}, database ${settings.database}`;
      await find(absentEntry('res.partner', '0'), client);
      for (const login of new Set(Object.values(settings.users ?? {}))) await authorNamed(login, client);
      const rights = await Promise.all(
        kinds.map((kind) => rightOn(kind, notedByReaders.includes(kind) ? 'read' : 'write', client)),
      );
      const installed = rights.filter((right) => right !== undefined);
      if (kinds.length > 0 && installed.length === 0)
        return { who, missing: [`records ${kinds.join(', ')}`] };
      const all = [...installed, await rightOn('mail.message', 'create', client)];
      return { who, missing: all.flatMap((right) => (right?.isGiven === false ? [right.name] : [])) };
    },
  };

  /** @returns undefined where the model is not installed: a preset names the records of several modules. */
  async function rightOn(model: string, right: string, client: CrmClient) {
    try {
      const named = { raise_exception: false };
      const isGiven = await execute(client, [model, 'check_access_rights'], [right], named);
      return { name: `${right} on ${model}`, isGiven };
    } catch (error) {
      if (error instanceof CrmError && error.kind === 'needsAgent') return undefined;
      throw error;
    }
  }

  /** @returns the contact of a user. It does not change, so it is asked once for each login while the relay runs. */
  async function authorNamed(login: string, client: CrmClient): Promise<number> {
    const known = authors.get(login);
    if (known !== undefined) return known;
    const query = [[['login', '=', login]], ['partner_id']];
    const [user] = (await execute(client, ['res.users', 'search_read'], query)) as {
      partner_id: [number, string];
    }[];
    if (!user) throw new UnknownUser(login);
    authors.set(login, user.partner_id[0]);
    return user.partner_id[0];
  }
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Odoo takes a message's body for HTML. */
const htmlOf = (text: string) =>
  text.replace(/[&<>"]/g, (character) => escapes[character]!).replaceAll('\n', '<br/>');

/**
 * Reads only the HTML that `htmlOf` writes and Odoo's cleaning adds. A tag has no `<` inside: otherwise a text of many
 * `<` takes seconds.
 */
const plainTextOf = (html: string) => html.replace(/<br\s*\/?>/g, '\n').replace(/<[^<>]*>/g, '');
