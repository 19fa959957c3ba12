/**
 * The policy's schema (`storage.managed_schema`), generated from the settings' own schema. Chrome understands a subset
 * of JSON Schema and drops what is not in it, so it gets types alone; `managed-overlay.ts` checks the rest and names
 * what is wrong.
 */
import { z } from 'zod/mini';
import { Settings } from './settings.ts';

interface JsonSchema {
  type?: string;
  description?: string;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
}

/** JSON Schema of everything an administrator may set: the settings, and `secrets`. */
export function managedSchema(): JsonSchema {
  const settings = subset(z.toJSONSchema(Settings, { io: 'input', unrepresentable: 'any' }) as JsonSchema);
  const { version: _version, ...properties } = settings.properties ?? {};
  return {
    type: 'object',
    properties: {
      ...properties,
      secrets: {
        type: 'object',
        description:
          'Agent key of the relay, or service token, where the organisation hands them out by policy.',
        properties: { agentKey: { type: 'string' }, serviceToken: { type: 'string' } },
      },
    },
  };
}

function subset(schema: JsonSchema): JsonSchema {
  // A custom check (a country code) has no type of its own; all of ours are strings.
  const type = schema.type ?? 'string';
  return {
    type,
    // The values are described, not enforced: for one wrong value Chrome would drop the whole group (156).
    ...(schema.enum ? { description: `One of: ${schema.enum.map((value) => `"${value}"`).join(', ')}` } : {}),
    ...(schema.properties
      ? {
          properties: Object.fromEntries(
            Object.entries(schema.properties).map(([name, property]) => [name, subset(property)]),
          ),
        }
      : {}),
    ...(schema.items ? { items: subset(schema.items) } : {}),
  };
}
