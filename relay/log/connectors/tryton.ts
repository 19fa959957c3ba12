/**
 * Tryton (tried with 6.0.29): the entry is a note (`ir.note`) of the record. Tryton writes it as the relay's user, so
 * the text names the extension.
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
import { CrmError } from './crm-error.ts';
import { trytonRpc } from './tryton-rpc.ts';

export function trytonConnector(settings: CrmSettings): Connector {
  const { logIn, execute } = trytonRpc(settings);
  const find = async (
    { marker, record }: SoughtEntry,
    client: CrmClient,
  ): Promise<FoundEntry | undefined> => {
    const conditions = [
      ['resource', '=', `${record.kind},${record.id}`],
      ['message', 'ilike', `%${marker}%`],
    ];
    const query = [conditions, 0, 100, null, ['message']];
    const notes = await execute(client, 'model.ir.note.search_read', query);
    return (notes as { message: string }[]).some(({ message }) => endsWithMarker(message, marker))
      ? {}
      : undefined;
  };
  return {
    find,

    async create({ record, text }, client) {
      const resource = `${record.kind},${record.id}`;
      const isParty = record.kind === 'party.party';
      const query = [[['id', '=', Number(record.id)]], 0, 1, null, [isParty ? 'replaced_by' : 'id']];
      // An archived record can get notes, too.
      const context = { active_test: false };
      const [found] = (await execute(client, `model.${record.kind}.search_read`, query, { context })) as {
        replaced_by?: number | null;
      }[];
      if (!found) throw new CrmError('needsAgent', 'notFound');
      if (found.replaced_by) throw new CrmError('needsAgent', `merged:${found.replaced_by}`);
      const notes = [[{ resource, message: text }]];
      const ids = await execute(client, 'model.ir.note.create', notes, { isWrite: true });
      if (!Array.isArray(ids) || ids.length !== 1) throw new CrmError('unsure', 'noId');
      return {};
    },

    async check(client, kinds) {
      await logIn(client);
      const who = `Tryton as ${settings.user}, database ${settings.database}`;
      const query = [[['model', 'in', kinds]], 0, null, null, ['model']];
      const models = await execute(client, 'model.ir.model.search_read', query);
      // A preset names the records of several modules, and not all of them are activated.
      const activated = (models as { model: string }[]).map(({ model }) => model);
      if (kinds.length > 0 && activated.length === 0)
        return { who, missing: [`records ${kinds.join(', ')}`] };
      for (const kind of activated.slice(0, 1)) await find(absentEntry(kind, '0'), client);
      // A note is created by those who may write on its record.
      const needed = [...activated.map((model) => [model, 'write'] as const), ['ir.note', 'create'] as const];
      const access = (await execute(client, 'model.ir.model.access.get_access', [
        needed.map(([model]) => model),
      ])) as Record<string, Record<'write' | 'create', unknown>>;
      const lacking = needed.filter(([model, right]) => !access[model]![right]);
      return { who, missing: lacking.map(([model, right]) => `${right} on ${model}`) };
    },
  };
}
