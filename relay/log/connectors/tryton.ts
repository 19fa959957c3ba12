/**
 * Tryton (tried with 6.0.29): the entry is a note (`ir.note`) of the record. Tryton writes it as the relay's user, so
 * the text names the extension.
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
      const isParty = record.kind === 'party.party';
      const query = [[['id', '=', Number(record.id)]], 0, 1, null, [isParty ? 'replaced_by' : 'id']];
      // An archived record takes notes as any other.
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

    async check(client) {
      await logIn(client);
      await execute(client, 'model.ir.note.search_count', [[['id', '=', 0]]]);
      return `Tryton as ${settings.user}, database ${settings.database}`;
    },
  };
}
