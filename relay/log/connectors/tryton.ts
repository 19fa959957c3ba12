/**
 * Tryton (tried with 6.0.29): the entry is a note (`ir.note`) of the record. Tryton writes it as the relay's user, so the text names
 * the extension.
 */
import {
  type Connector,
  type CrmSettings,
  endsWithMarker,
  type FoundEntry,
  type LogEntry,
} from './connector.ts';
import { CrmError } from './crm-error.ts';
import { trytonRpc } from './tryton-rpc.ts';

export function trytonConnector(settings: CrmSettings): Connector {
  const { logIn, execute } = trytonRpc(settings);
  return {
    async find({ marker, record }: LogEntry, client): Promise<FoundEntry | undefined> {
      const conditions = [
        ['resource', '=', `${record.kind},${record.id}`],
        ['message', 'ilike', `%${marker}%`],
      ];
      const query = [conditions, 0, 100, null, ['message']];
      const notes = await execute(client, 'model.ir.note.search_read', query);
      return (notes as { message: string }[]).some(({ message }) => endsWithMarker(message, marker))
        ? {}
        : undefined;
    },

    async create({ record, text }, client) {
      const resource = `${record.kind},${record.id}`;
      const model = `model.${record.kind}`;
      // An archived record takes notes as any other.
      const context = { active_test: false };
      const own = [[['id', '=', Number(record.id)]]];
      if ((await execute(client, `${model}.search_count`, own, { context })) !== 1)
        throw new CrmError('needsAgent', 'notFound');
      if (record.kind === 'party.party') {
        const query = [...own, 0, 1, null, ['replaced_by']];
        const [party] = (await execute(client, `${model}.search_read`, query, { context })) as {
          replaced_by: number | null;
        }[];
        if (party?.replaced_by) throw new CrmError('needsAgent', `merged:${party.replaced_by}`);
      }
      const notes = [[{ resource, message: text }]];
      await execute(client, 'model.ir.note.create', notes, { isWrite: true });
      return {};
    },

    async check(client) {
      await logIn(client);
      await execute(client, 'model.ir.note.search_count', [[['id', '=', 0]]]);
      return `Tryton as ${settings.user}, database ${settings.database}`;
    },
  };
}
