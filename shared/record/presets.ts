/**
 * Patterns of well-known CRMs. A preset is only a set of patterns: it is off until the operator names the CRM's own
 * origin, so that `/issues/4711` of another host is never a record.
 */
import { z } from 'zod/mini';
import { RecordTemplate } from './template.ts';

interface Preset {
  /** `tried`: against the real system, in this version. `documented`: from its documents, not tried. */
  proof: `tried ${string}` | 'documented';
  patterns: readonly Pick<RecordTemplate, 'pattern' | 'kind'>[];
}

const odooModels = ['crm.lead', 'res.partner', 'sale.order', 'project.task', 'helpdesk.ticket'];
const salesforceKinds = ['Account', 'Contact', 'Lead', 'Opportunity', 'Case'];
/** HubSpot numbers its kinds of objects. */
const hubspotKinds = { contact: '0-1', company: '0-2', deal: '0-3', ticket: '0-5' };

export const presets = {
  rt: { proof: 'tried 5.0.3', patterns: [{ pattern: '/Ticket/Display.html?id={id}', kind: 'ticket' }] },
  redmine: { proof: 'tried 5.0.4', patterns: [{ pattern: '/issues/{id}', kind: 'issue' }] },
  odoo: {
    proof: 'tried 14.0',
    patterns: odooModels.map((kind) => ({ pattern: `/web#id={id}&model=${kind}&view_type=form`, kind })),
  },
  tryton: {
    proof: 'tried 6.0.29',
    patterns: ['party.party', 'sale.opportunity'].map((kind) => ({
      pattern: `/#DATABASE/model/${kind}/{id}`,
      kind,
    })),
  },
  hubspot: {
    proof: 'documented',
    patterns: Object.entries(hubspotKinds).map(([kind, number]) => ({
      pattern: `/contacts/PORTAL/record/${number}/{id}`,
      kind,
    })),
  },
  salesforce: {
    proof: 'documented',
    patterns: salesforceKinds.map((kind) => ({ pattern: `/lightning/r/${kind}/{key}/view`, kind })),
  },
} as const satisfies Record<string, Preset>;

type PresetName = keyof typeof presets;
const presetNames = Object.keys(presets) as PresetName[];

/** A preset with the CRM's origin and, if its addresses have one, the database or portal. */
export const PresetTemplate = z.strictObject({
  preset: z.enum(presetNames, {
    error: ({ input }) => `expected ${presetNames.join(' or ')}, got ${JSON.stringify(input)}`,
  }),
  origin: RecordTemplate.shape.origin,
  /** Another name than the preset's, if two systems use the same preset. */
  system: z.optional(RecordTemplate.shape.system),
  /** Tryton's database or HubSpot's portal. */
  database: z.optional(
    z.string().check(z.regex(/^[\w.-]{1,64}$/, 'expected the name of the database or portal')),
  ),
});
export type PresetTemplate = z.infer<typeof PresetTemplate>;

/** @throws Error where the preset needs `database` and it is missing. */
export function templatesOfPreset({
  preset,
  origin,
  system = preset,
  database,
}: PresetTemplate): RecordTemplate[] {
  return presets[preset].patterns.map(({ pattern, kind }) => {
    const missing = /DATABASE|PORTAL/.exec(pattern)?.[0];
    if (missing && database === undefined)
      throw new Error(`preset ${preset}: expected "database", its ${missing.toLowerCase()}`);
    return { system, origin, kind, pattern: missing ? pattern.replace(missing, database!) : pattern };
  });
}
