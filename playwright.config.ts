import { defineConfig } from '@playwright/test';

/** Every browser test runs in real Chromium and real Firefox. `tools/test.ts` builds and installs first. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  // At real applications, which must be had first: `playwright.applications.config.ts`.
  testIgnore: '**/applications/**',
  globalSetup: './testing/global-setup.ts',
  outputDir: 'test-results/e2e',
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // Each has a browser, a relay and a sandbox of its own. A file's stories run in order in one worker.
  workers: 2,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  // Nothing drives an input method of Firefox (153): a story of one is tagged @chromium.
  projects: [{ name: 'chromium' }, { name: 'firefox', grepInvert: /@chromium/ }],
});
