/** Contacts of Odoo, and its leads if their module is installed (tried with 14.0). */
import type { CrmClient } from '../../log/connectors/crm-client.ts';
import { CrmError } from '../../log/connectors/crm-error.ts';
import { odooRpc } from '../../log/connectors/odoo-rpc.ts';
import type { SourceSettings } from '../directory-settings.ts';
import { type CrmPeople, crmSource } from './crm.ts';
import type { Source } from './source.ts';

type OdooRow = { id: number; write_date: string | false; active: boolean } & Record<string, unknown>;

/** The fields of each model: the first one that is filled counts. */
const models = {
  'res.partner': { names: ['name'], organisations: ['commercial_company_name'], roles: ['function'] },
  'crm.lead': {
    names: ['contact_name', 'partner_name', 'name'],
    organisations: ['partner_name'],
    roles: ['function'],
  },
} as const;
/** `mobile` is in versions before 19. */
const numberFields = ['phone', 'mobile'];

/** Odoo writes times in UTC without a zone, and reads them so in conditions. */
const timeText = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
/** A record that a program has put into the database may have no time. */
const readTimeText = (time: string | false) => (time ? Date.parse(`${time.replace(' ', 'T')}Z`) : 0);

export function odooSource(
  { url, ...credentials }: SourceSettings,
  pageSize = 500,
  // Ids alone are much shorter than records, so a page may have more of them.
  idsPerPage = pageSize * 40,
): Source {
  const { execute } = odooRpc(credentials);

  async function peopleOf(kind: keyof typeof models, client: CrmClient): Promise<CrmPeople | undefined> {
    const existing = await execute(client, [kind, 'fields_get'], [], { attributes: ['type'] }).catch(
      (error: unknown) => {
        // The module is not installed, or closed to this user.
        if (kind !== 'res.partner' && error instanceof CrmError && error.kind === 'needsAgent')
          return undefined;
        throw error;
      },
    );
    if (!existing) return undefined;
    const isThere = (field: string) => field in (existing as object);
    const numbers = numberFields.filter(isThere);
    const withNumber = [
      ...numbers.slice(1).map(() => '|'),
      ...numbers.map((field) => [field, '!=', false] as const),
    ];
    const { names, organisations, roles } = models[kind];
    const fields = [...new Set([...names, ...organisations, ...roles, ...numbers])].filter(isThere);
    const first = (row: OdooRow, wanted: readonly string[]) =>
      wanted.flatMap((field) => (row[field] ? [String(row[field])] : []))[0];
    const search = (conditions: unknown[], options: object) =>
      execute(client, [kind, 'search'], [[...conditions, ...withNumber]], options) as Promise<number[]>;
    return {
      kind,
      async page(_client, after, since) {
        const changed = since === undefined ? withNumber : [['write_date', '>=', timeText(since)]];
        const named = {
          fields: [...fields, 'write_date', 'active'],
          ...{ limit: pageSize, order: 'id' },
          context: { active_test: since === undefined },
        };
        const conditions = [['id', '>', after], ...changed];
        const rows = (await execute(client, [kind, 'search_read'], [conditions], named)) as OdooRow[];
        return {
          rows: rows.map((row) => ({
            id: row.id,
            changedAt: readTimeText(row.write_date),
            ...(row.active && {
              written: {
                name: first(row, names),
                organisation: first(row, organisations),
                role: first(row, roles),
                numbers: numbers.map((label) => ({ text: first(row, [label]) ?? '', label })),
              },
            }),
          })),
          next: rows.length < pageSize ? undefined : rows.at(-1)!.id,
        };
      },
      async ids(_client, after) {
        const ids = await search([['id', '>', after]], { order: 'id', limit: idsPerPage });
        return { ids, next: ids.length < idsPerPage ? undefined : ids.at(-1) };
      },
      async state() {
        const count = (await execute(client, [kind, 'search_count'], [withNumber])) as number;
        const [newest = 0] = await search([], { order: 'id desc', limit: 1 });
        return { count, newest };
      },
    };
  }

  return crmSource(url, async (client) => {
    const all: CrmPeople[] = [];
    for (const kind of ['res.partner', 'crm.lead'] as const) {
      const people = await peopleOf(kind, client);
      if (people) all.push(people);
    }
    return all;
  });
}
