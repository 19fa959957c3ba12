import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import type { Tab } from './browsers/browser.ts';
import { startWalk, walksFileVariable } from './first-call-walk.ts';

afterEach(() => void vi.unstubAllEnvs());

const silentTab = { click: async () => {}, clickAt: async () => {}, fill: async () => {} } as unknown as Tab;

it('records the clicks of a tab where the bench asks for it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'dialmark-walks-'));
  const file = path.join(folder, 'walks');
  vi.stubEnv(walksFileVariable, file);
  const walk = startWalk('agent');
  const tab = walk.counting(silentTab);
  await tab.click('#save');
  await tab.fill('#code', 'text');
  await tab.clickAt({ x: 1, y: 1 });
  walk.add('pastes');
  await walk.end('firefox');
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    walker: 'agent',
    where: 'firefox',
    effort: { clicks: 2, pastes: 1, seconds: expect.any(Number) },
  });
  await rm(folder, { recursive: true });
});

it('fails a walk that misses its goal, which it names', async () => {
  vi.stubEnv(walksFileVariable, '');
  const walk = startWalk('operator');
  walk.add('commands', 5);
  await expect(walk.end()).rejects.toThrow('the walk of the operator: at most 4 commands, got 5');
});
