/**
 * Vite's plugin for the widget, which may have 24 KB gzipped. In the bundle alone, two libraries are replaced by the parts that it
 * uses, each compared with the original by a test: zod (6.7 KB) by the JSON Schema of `Call`, and eventsource-parser (1.3 KB).
 * JSX is made by preact's `createElement`, which the bundle has already.
 * It also emits the npm package's other files.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { toJSONSchema, type ZodMiniType } from 'zod/mini';
import { Call, isFinished } from '../../shared/call/call.ts';
import type { JsonSchema } from './read-by-schema.ts';

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const replaced: Record<string, string> = {
  'eventsource-parser': here('./event-parser.ts'),
  'preact/jsx-runtime': here('./jsx-runtime.ts'),
};
/** The module of the import above. */
const callModule = here('../../shared/call/call.ts');

/** Keywords that `readBySchema` reads, and those that it need not. */
const keywords = /^(type|enum|default|pattern|minimum|items|properties|required)$/;
const ignored = /^(\$schema|additionalProperties|maximum)$/;

/**
 * The JSON Schema of what the relay sends. `code` may be any string: pages pin a version of the widget for years (SRI), and a
 * newer relay's new error must not make its calls unreadable. What has no type is a string. A new state or reason reads as its `default`.
 * @throws Error at a keyword that `readBySchema` does not know.
 */
export function schemaOf(zodSchema: ZodMiniType): string {
  const convert = (schema: object): object =>
    Object.fromEntries(
      Object.entries(schema).flatMap(([keyword, value]) => {
        if (ignored.test(keyword) || value === 'string') return [];
        if (!keywords.test(keyword)) throw new Error(`widget: "${keyword}" is unknown to readBySchema`);
        if (keyword === 'items') return [[keyword, convert(value)]];
        if (keyword !== 'properties') return [[keyword, value]];
        const properties = Object.entries(value).map(([name, property]) => [
          name,
          name === 'code' ? {} : convert(property as object),
        ]);
        return [[keyword, Object.fromEntries(properties)]];
      }),
    );
  return JSON.stringify(convert(toJSONSchema(zodSchema)));
}

/** A JSON Schema as a TypeScript type. */
function typeOf({ type, enum: values, items, properties = {}, required = [] }: JsonSchema): string {
  if (values) return values.map((value) => `'${value}'`).join(' | ');
  if (items) return `(${typeOf(items)})[]`;
  if (type !== 'object') return type === 'integer' ? 'number' : type!;
  const members = Object.entries(properties).map(([name, schema]) =>
    required.includes(name) ? `${name}: ${typeOf(schema)};` : `${name}?: ${typeOf(schema)} | undefined;`,
  );
  return `{\n  ${members.join('\n  ')}\n}`;
}

export function widgetBundle(): Plugin {
  return {
    name: 'dialmark:widget-bundle',
    enforce: 'pre',
    resolveId: (id) => replaced[id],
    load(id) {
      if (id !== callModule) return undefined;
      return `import { readBySchema } from ${JSON.stringify(here('./read-by-schema.ts'))};
const schema = ${schemaOf(Call)};
export const isFinished = ${isFinished.toString()};
export const Call = {
  safeParse(value) {
    const data = readBySchema(schema, value);
    return { success: data !== undefined, data };
  },
};`;
    },
    generateBundle() {
      const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source });
      emit('custom-elements.json', readFileSync(here('../custom-elements.json'), 'utf8'));
      emit(
        'widget.d.ts',
        readFileSync(here('../widget.d.ts'), 'utf8')
          .replace(/^\/\/ The build.*\nimport .*\n\n/m, '')
          .replace(
            'export type { Call };',
            `export interface Call ${typeOf(toJSONSchema(Call) as JsonSchema)}`,
          ),
      );
    },
  };
}
