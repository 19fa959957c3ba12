/** The keywords of JSON Schema that `readBySchema` understands. */
export interface JsonSchema {
  /** `string` where absent. */
  type?: string;
  enum?: string[];
  /** What a text that `enum` does not name reads as. */
  default?: string;
  pattern?: string;
  minimum?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

/**
 * Reads JSON by a schema, as zod's `safeParse` does for a twentieth of the bytes.
 * @returns the value without members that the schema does not name; undefined where it does not fit.
 */
export function readBySchema(schema: JsonSchema, value: unknown): unknown {
  const { type = 'string', items, properties, required } = schema;
  if (schema.enum)
    return schema.enum.includes(value as string) ? value : typeof value === type ? schema.default : undefined;
  if (type === 'string' || type === 'boolean')
    return typeof value === type && RegExp(schema.pattern ?? '').test(value as string) ? value : undefined;
  if (type === 'integer')
    return Number.isSafeInteger(value) && (value as number) >= schema.minimum! ? value : undefined;
  if (items) {
    const read = Array.isArray(value) ? value.map((item) => readBySchema(items, item)) : [undefined];
    return read.includes(undefined) ? undefined : read;
  }
  if (typeof value !== 'object' || !value || Array.isArray(value)) return undefined;
  const known: Record<string, unknown> = {};
  for (const name in properties) {
    const given = (value as Record<string, unknown>)[name];
    if (given === undefined && !required!.includes(name)) continue;
    known[name] = readBySchema(properties[name]!, given);
    if (known[name] === undefined) return undefined;
  }
  return known;
}
