/**
 * The policy's schema (`storage.managed_schema`), generated from the settings' own schema. Chrome understands only a
 * subset of JSON Schema, and drops what is not in it. So the schema has only types. `managed-overlay.ts` checks the
 * rest and names what is wrong.
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
  // A custom check (such as a country code) has no type in the schema. All our custom checks are of strings.
  const type = schema.type ?? 'string';
  return {
    type,
    // The allowed values are only described, not enforced. Chrome would drop the whole group for one wrong value (156).
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
