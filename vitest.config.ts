import { defineConfig } from 'vitest/config';

// Tests that need no browser, beside the code they test. The browsers' end in .spec.ts, and Playwright's runner runs them.
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
    // For what hangs: a machine may be many times slower than the one before.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // More than the cores that they are meant for, since system tests often wait.
    maxWorkers: 3,
  },
});
