import { defineConfig } from 'vitest/config';

// Tests without a browser, beside the code they test. Playwright runs those in browsers, which end in .spec.ts.
export default defineConfig({
  plugins: [
    {
      // As in the extension's build, such an import is a path: the script itself is for pages.
      name: 'script-paths',
      enforce: 'pre',
      load: (id) => (id.endsWith('?script&iife') ? "export default '/script.js';" : undefined),
    },
  ],
  test: {
    include: ['*/**/*.test.{ts,tsx}'],
    exclude: ['node_modules/**', 'dist/**'],
    // One build of relay and calling service for every file that starts them as processes.
    globalSetup: 'testing/global-setup.ts',
    // This limit is only for tests that hang. One machine may be many times slower than another.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // As long as `eventually` and `until` wait. By default, it is one second.
    expect: { poll: { timeout: 60_000 } },
    // More than the cores that they are meant for, since system tests often wait.
    maxWorkers: 3,
  },
});
