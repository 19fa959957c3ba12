/**
 * A zod schema as the source text of a Shape, by way of its JSON Schema. What it does not know ends the build.
 *
 * Words that say why are any string in a Shape: pages pin a version of the widget for years (SRI), and a newer relay's new
 * reason must not make its calls unreadable.
 */
import { toJSONSchema, type ZodMiniType } from 'zod/mini';

interface JsonSchema {
  type?: string;
  enum?: string[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

const known = /^(\$schema|type|enum|pattern|minimum|maximum|items|properties|required|additionalProperties)$/;

const open = ['reason', 'code'];

export function shapeOf(schema: ZodMiniType): string {
  return convert(toJSONSchema(schema, { io: 'input' }) as JsonSchema);
}

function convert(schema: JsonSchema): string {
  if (!Object.keys(schema).every((key) => known.test(key))) return unknown(schema);
  if (schema.enum) return JSON.stringify(schema.enum);
  if (schema.type === 'string')
    return schema.pattern === undefined ? '0' : String(new RegExp(schema.pattern));
  if (schema.type === 'integer')
    return schema.minimum === 0 && schema.maximum === Number.MAX_SAFE_INTEGER ? '1' : unknown(schema);
  if (schema.type === 'array' && schema.items) return `[${convert(schema.items)}]`;
  if (schema.type === 'object' && schema.properties) {
    const required = schema.required ?? [];
    const members = Object.entries(schema.properties).map(([name, each]) => {
      const shape = open.includes(name) ? '0' : convert(each);
      return `${JSON.stringify(required.includes(name) ? name : `${name}?`)}:${shape}`;
    });
    return `{${members.join()}}`;
  }
  return unknown(schema);
}

function unknown(schema: JsonSchema): never {
  throw new Error(
    `lean shape: ${JSON.stringify(schema).slice(0, 200)} is not understood; teach read-shape.ts`,
  );
}
