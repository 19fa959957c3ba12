/**
 * Users of Request Tracker, who include its customers (tried with 5.0.3). REST 2 silently ignores conditions on ids and
 * times. So changed users are read newest change first. Disabled users are not listed.
 */
import type { CrmClient } from '../../log/connectors/crm-client.ts';
import { CrmError } from '../../log/connectors/crm-error.ts';
import { rtRest } from '../../log/connectors/rt-rest.ts';
import type { SourceSettings } from '../directory-settings.ts';
import { type CrmPage, type CrmPeople, crmSource } from './crm.ts';
import type { Source } from './source.ts';

const numberFields = ['WorkPhone', 'MobilePhone', 'HomePhone', 'PagerPhone'];
const fields = ['id', 'Name', 'RealName', 'Organization', 'LastUpdated', ...numberFields];

interface UsersPage {
  total: number | null;
  items: (Record<string, string> & { id: string })[];
}

/** @param pageSize RT answers with 100 at most. */
export function rtSource({ url, ...credentials }: SourceSettings, pageSize = 100): Source {
  const ask = rtRest(credentials);

  async function list(client: CrmClient, more: Record<string, string>): Promise<UsersPage> {
    const everybody = JSON.stringify([{ field: 'Name', operator: '!=', value: '' }]);
    const parameters = new URLSearchParams({ query: everybody, fields: fields.join(','), ...more });
    const { status, json } = await ask(client, { method: 'GET', path: `/users?${parameters}` });
    if (status !== 200) throw new CrmError('misconfigured', `http${status}`);
    return json as UsersPage;
  }

  const people: CrmPeople = {
    kind: 'user',
    async page(client, at, since): Promise<CrmPage> {
      const order = since === undefined ? { orderby: 'id' } : { orderby: 'LastUpdated', order: 'DESC' };
      const { items } = await list(client, { ...order, per_page: `${pageSize}`, page: `${at + 1}` });
      const all = items.map((user) => ({
        id: Number(user.id),
        changedAt: Date.parse(user.LastUpdated!),
        written: {
          name: user.RealName || user.Name,
          organisation: user.Organization,
          numbers: numberFields.map((label) => ({ text: user[label] ?? '', label })),
        },
      }));
      const rows = all.filter(({ changedAt }) => since === undefined || changedAt >= since);
      return { rows, next: rows.length < pageSize ? undefined : at + 1 };
    },
    async ids(client, at) {
      const { rows, next } = await people.page(client, at);
      return { ids: rows.map(({ id }) => id), next };
    },
    async state(client) {
      const { total, items } = await list(client, { per_page: '1', orderby: 'id', order: 'DESC' });
      if (total === null || items[0]?.LastUpdated === undefined)
        throw new CrmError('misconfigured', 'its user needs the right AdminUsers');
      return { count: total, newest: Number(items[0].id) };
    },
  };
  return crmSource(url, async () => [people]);
}
