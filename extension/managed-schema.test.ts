import { expect, test } from 'vitest';
import { managedSchema } from './managed-schema.ts';
import { Settings } from './settings.ts';

type Node = { type?: string; properties?: Record<string, Node>; items?: Node; enum?: unknown[] };

function* nodes(node: Node): Generator<Node> {
  yield node;
  for (const child of Object.values(node.properties ?? {})) yield* nodes(child);
  if (node.items) yield* nodes(node.items);
}

test('the policy schema says only what Chrome understands, of every value', () => {
  const understood = new Set(['type', 'description', 'properties', 'items']);
  for (const node of nodes(managedSchema() as Node)) {
    expect(['object', 'array', 'string', 'integer', 'number', 'boolean']).toContain(node.type);
    expect(Object.keys(node).filter((key) => !understood.has(key))).toEqual([]);
  }
});

test('every setting can be set by policy, but for the version of the stored form', () => {
  const declared = Object.keys((managedSchema() as Node).properties ?? {});
  const { version: _version, ...settings } = Settings.parse({});
  expect(declared.sort()).toEqual([...Object.keys(settings), 'secrets'].sort());
});
