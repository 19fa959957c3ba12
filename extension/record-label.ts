import type { RecordKey } from '../shared/record/template.ts';

/** A record in the team's own words: "ticket 4711 · rt". Without a record: a dash. */
export const recordLabel = (record: RecordKey | null | undefined): string =>
  record ? `${record.kind} ${record.id} · ${record.system}` : '–';
