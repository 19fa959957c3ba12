import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const here = path.dirname(fileURLToPath(import.meta.url));
const sources = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(path.join(here, file), 'utf8'));
const keys = sources.flatMap((source) =>
  [...source.matchAll(/storage\.session\.set\(\{\s*(\w+)/g)].map(([, key]) => key!),
);

test('docs/security.md names everything in storage.session', () => {
  const text = readFileSync(path.join(here, '../../docs/security.md'), 'utf8');
  expect(new Set(keys).size).toBeGreaterThanOrEqual(4);
  for (const key of keys) expect(text).toContain(`\`${key}\``);
});
