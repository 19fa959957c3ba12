import path from 'node:path';
import { defineConfig } from '@playwright/test';
import base from './playwright.config.ts';

/** Stories at real applications: `npm test -- apps`, which gets those first. */
export default defineConfig({
  ...base,
  testDir: path.join(base.testDir!, 'applications'),
  testIgnore: [],
  outputDir: 'test-results/apps',
  reporter: [['list'], ['json', { outputFile: 'test-results/apps.json' }]],
});
