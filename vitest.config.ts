import { defineConfig } from 'vitest/config';

// Tests that need no browser, beside the code they test. The browsers' end in .spec.ts, and Playwright's runner runs them.
export default defineConfig({
  test: {
    include: ['{shared,relay,sandbox,extension,widget,bench,tools,e2e}/**/*.test.{ts,tsx}'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
