/** Vite's plugin that adds the other files of the npm package `dialmark-widget` to the widget's bundle. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { toJSONSchema } from 'zod/mini';
import { Call } from '../../shared/call/call.ts';
import { customElementsManifest } from '../manifest/custom-elements.ts';

const readBeside = (file: string) => readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8');

/** The JSON Schema keywords that the schema of a Call uses. */
interface CallSchema {
  type?: string;
  enum?: string[];
  items?: CallSchema;
  properties?: Record<string, CallSchema>;
  required?: string[];
}

/** Writes a JSON Schema as a TypeScript type. */
function typeScriptOf({ type, enum: values, items, properties = {}, required = [] }: CallSchema): string {
  if (values) return values.map((value) => `'${value}'`).join(' | ');
  if (items) return `(${typeScriptOf(items)})[]`;
  if (type !== 'object') return type === 'integer' ? 'number' : type!;
  const members = Object.entries(properties).map(([name, schema]) =>
    required.includes(name)
      ? `${name}: ${typeScriptOf(schema)};`
      : `${name}?: ${typeScriptOf(schema)} | undefined;`,
  );
  return `{\n  ${members.join('\n  ')}\n}`;
}

/** The package's entries differ only in their types. */
const packageEntry = (types: string) => ({ types: `./${types}`, default: './widget.js' });

const packageJson = (version: string) => ({
  name: 'dialmark-widget',
  version,
  description: 'A custom element that shows the calls of an agent, and places them.',
  license: 'MIT',
  type: 'module',
  exports: {
    '.': packageEntry('widget.d.ts'),
    './react': packageEntry('react.d.ts'),
    './preact': packageEntry('preact.d.ts'),
    './custom-elements.json': './custom-elements.json',
  },
  types: './widget.d.ts',
  customElements: 'custom-elements.json',
});

/** @param version of the package. */
export function widgetBundle(version: string): Plugin {
  return {
    name: 'dialmark:widget-bundle',
    generateBundle() {
      const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source });
      emit('custom-elements.json', `${JSON.stringify(customElementsManifest(), null, 2)}\n`);
      emit('package.json', `${JSON.stringify(packageJson(version), null, 2)}\n`);
      emit('LICENSE', readBeside('../../LICENSE'));
      for (const name of ['react.d.ts', 'preact.d.ts']) emit(name, readBeside(`../${name}`));
      // Writes the type itself instead of its import: the package then needs no other file.
      const call = `export interface Call ${typeScriptOf(toJSONSchema(Call) as CallSchema)}`;
      emit(
        'widget.d.ts',
        readBeside('../widget.d.ts')
          .replace(/^\/\/ The build.*\nimport .*\n\n/m, '')
          .replace('export type { Call };', call),
      );
    },
  };
}
