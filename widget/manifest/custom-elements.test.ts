import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { customElementsManifest } from './custom-elements.ts';

const folder = new URL('../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');
const names = (all: { name: string }[]) => all.map(({ name }) => name).sort();

describe('custom-elements.json', () => {
  const manifest = customElementsManifest() as {
    modules: { declarations: Record<string, { name: string }[]>[] }[];
  };
  const element = manifest.modules[0]!.declarations[0]!;

  it('names exactly the parts, custom properties, slots, attributes in the source', () => {
    const view = ['widget', 'call-line', 'call-details', 'callflow', 'recording', 'dial-form']
      .map((name) => read(`view/${name}.tsx`))
      .join('');
    const parts = [...view.matchAll(/part=(?:"([\w-]+)"|\{[^}]*?'([\w-]+)' : '([\w-]+)'\})/g)].flatMap(
      ([, ...found]) => found.filter(Boolean),
    );
    expect(names(element.cssParts!)).toEqual([...new Set(parts)].sort());
    const properties = [...read('style.css').matchAll(/--dialmark-[\w-]+/g)].map(([name]) => name);
    expect(names(element.cssProperties!)).toEqual([...new Set(properties)].sort());
    const slots = [...view.matchAll(/<slot(?: name="(\w+)")?/g)].map(([, name = '']) => name);
    expect(names(element.slots!)).toEqual([...new Set(slots)].sort());
    const observed = [
      ...(/observedAttributes = \[(.*?)\]/s.exec(read('element.tsx'))?.[1] ?? '').matchAll(/'([\w-]+)'/g),
    ];
    expect(names(element.attributes!)).toEqual([...observed.map(([, name]) => name!), 'theme'].sort());
  });

  it('has every name in docs/embedders.md', () => {
    const docs = readFileSync(new URL('../docs/embedders.md', folder), 'utf8');
    const all = ['attributes', 'members', 'events', 'slots', 'cssParts', 'cssProperties'].flatMap((kind) =>
      names(element[kind]!),
    );
    expect(all.filter((name) => !docs.includes(`\`${name}`))).toEqual([]);
  });
});
