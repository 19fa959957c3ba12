import path from 'node:path';
import { defineConfig } from '@playwright/test';
import base from './playwright.config.ts';

/** Stories at real applications: `npm test -- apps`, which gets those first. */
export default defineConfig({
  ...base,
  testDir: path.join(base.testDir!, 'applications'),
  testIgnore: [],
  // Directus draws a page for half a minute where other programs use the machine.
  timeout: 300_000,
  expect: { timeout: 120_000 },
  outputDir: 'test-results/apps',
  reporter: [['list'], ['json', { outputFile: 'test-results/apps.json' }]],
});
