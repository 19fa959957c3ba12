/** Parties of Tryton with their contact mechanisms (tried with 6.0.29). */
import type { CrmClient } from '../../log/connectors/crm-client.ts';
import { trytonRpc } from '../../log/connectors/tryton-rpc.ts';
import type { SourceSettings } from '../directory-settings.ts';
import { type CrmPeople, crmSource } from './crm.ts';
import type { Source } from './source.ts';

const kind = 'party.party';
const numberTypes = ['phone', 'mobile', 'sip'];

interface Time {
  __class__: 'datetime';
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  microsecond: number;
}

const trytonTimeOf = (ms: number): Time => {
  const at = new Date(ms);
  return {
    __class__: 'datetime',
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    hour: at.getUTCHours(),
    minute: at.getUTCMinutes(),
    second: at.getUTCSeconds(),
    microsecond: 0,
  };
};
const msOf = (time: Time | null): number =>
  time ? Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second) : 0;

interface Dated {
  id: number;
  /** Absent before the first change. */
  write_date: Time | null;
  create_date: Time | null;
}
const changedAt = ({ write_date, create_date }: Dated) => Math.max(msOf(write_date), msOf(create_date));

interface TrytonParty extends Dated {
  name: string | null;
  active: boolean;
}

interface Mechanism extends Dated {
  party: number;
  type: string;
  value: string | null;
}

export function trytonSource(
  { url, ...credentials }: SourceSettings,
  pageSize = 500,
  // Ids alone are much shorter than records, so a page may have more of them.
  idsPerPage = pageSize * 40,
): Source {
  const { execute } = trytonRpc(credentials);
  const withNumber = ['contact_mechanisms.type', 'in', numberTypes];

  const people: CrmPeople = {
    kind,
    async page(client, after, since) {
      const changed = since === undefined ? withNumber : ['OR', ...changesSince(since)];
      const fields = ['name', 'active', 'write_date', 'create_date'];
      const query = [[['id', '>', after], changed], 0, pageSize, [['id', 'ASC']], fields];
      const context = { active_test: since === undefined };
      const method = `model.${kind}.search_read`;
      const parties = (await execute(client, method, query, { context })) as TrytonParty[];
      const mechanisms = await mechanismsOf(
        client,
        parties.map(({ id }) => id),
      );
      return {
        rows: parties.map((party) => {
          const own = mechanisms.filter(({ party: id }) => id === party.id);
          const numbers = own.map(({ value, type }) => ({ text: value ?? '', label: type }));
          return {
            id: party.id,
            changedAt: Math.max(changedAt(party), ...own.map(changedAt)),
            ...(party.active && { written: { name: party.name ?? undefined, numbers } }),
          };
        }),
        next: parties.length < pageSize ? undefined : parties.at(-1)!.id,
      };
    },
    async ids(client, after) {
      const query = [[['id', '>', after], withNumber], 0, idsPerPage, [['id', 'ASC']]];
      const ids = (await execute(client, `model.${kind}.search`, query)) as number[];
      return { ids, next: ids.length < idsPerPage ? undefined : ids.at(-1) };
    },
    async state(client) {
      const count = (await execute(client, `model.${kind}.search_count`, [[withNumber]])) as number;
      const newest = [[withNumber], 0, 1, [['id', 'DESC']]];
      const [id = 0] = (await execute(client, `model.${kind}.search`, newest)) as number[];
      const mechanisms = [[['type', 'in', numberTypes]]];
      const numbers = await execute(client, 'model.party.contact_mechanism.search_count', mechanisms);
      return { count, newest: id, numbers: numbers as number };
    },
  };
  return crmSource(url, async () => [people]);

  async function mechanismsOf(client: CrmClient, parties: readonly number[]): Promise<Mechanism[]> {
    if (parties.length === 0) return [];
    const conditions = [
      ['party', 'in', parties],
      ['type', 'in', numberTypes],
    ];
    const fields = ['party', 'type', 'value', 'write_date', 'create_date'];
    const query = [conditions, 0, null, [['id', 'ASC']], fields];
    return (await execute(client, 'model.party.contact_mechanism.search_read', query)) as Mechanism[];
  }
}

const changesSince = (since: number) =>
  ['', 'contact_mechanisms.'].flatMap((prefix) =>
    ['write_date', 'create_date'].map((field) => [prefix + field, '>=', trytonTimeOf(since)]),
  );
