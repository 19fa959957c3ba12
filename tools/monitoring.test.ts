import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../testing/child.ts';
import { trackedFiles } from '../testing/tracked-files.ts';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const sources = trackedFiles('relay', 'pbx')
  .filter((file) => /(?<!\.test)\.ts$/.test(file))
  .map(read)
  .join('\n');

it.each(['docs/deploy/grafana-dashboard.json', 'docs/deploy/prometheus-alerts.yml'])(
  'names only metrics that a server has: %s',
  (file) => {
    const names = read(file)
      .match(/\bdialmark_[a-z_]+/g)!
      .map((name) => name.replace(/_bucket$/, ''));
    expect(names.length).toBeGreaterThan(10);
    expect([...new Set(names)].filter((name) => !sources.includes(`'${name}'`))).toEqual([]);
  },
);

it('gives each panel of the dashboard its own id at its own place', () => {
  const { panels } = JSON.parse(read('docs/deploy/grafana-dashboard.json')) as {
    panels: { id: number; gridPos: { x: number; y: number } }[];
  };
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(new Set(panels.map(({ gridPos }) => `${gridPos.x}/${gridPos.y}`)).size).toBe(panels.length);
});
