import { afterEach, expect, it, vi } from 'vitest';
import type { Tab } from './browsers/browser.ts';
import { startWalk, walksFileVariable } from './first-call-walk.ts';
import { temporaryFolder } from './temporary-folder.ts';

afterEach(() => void vi.unstubAllEnvs());

const silentTab = { click: async () => {}, clickAt: async () => {}, fill: async () => {} } as unknown as Tab;

it('records the clicks of a tab where the bench asks for it', async () => {
  const folder = await temporaryFolder();
  vi.stubEnv(walksFileVariable, folder.file('walks'));
  const walk = startWalk('agent');
  const tab = walk.counting(silentTab);
  await tab.click('#save');
  await tab.fill('#code', 'text');
  await tab.clickAt({ x: 1, y: 1 });
  walk.add('pastes');
  await walk.end('firefox');
  expect(JSON.parse(await folder.read('walks'))).toEqual({
    walker: 'agent',
    where: 'firefox',
    effort: { clicks: 2, pastes: 1, seconds: expect.any(Number) },
  });
  await folder.remove();
});

it('fails a walk that misses its goal, which it names', async () => {
  vi.stubEnv(walksFileVariable, '');
  const walk = startWalk('operator');
  walk.add('commands', 5);
  await expect(walk.end()).rejects.toThrow('the walk of the operator: at most 4 commands, got 5');
});
