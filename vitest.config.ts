import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const exclude = ['node_modules/**', 'dist/**'];
const exhaustive = '*/**/*.exhaustive.test.{ts,tsx}';
const phones = 'pbx/phones/**/*.test.ts';

/** @param isolate a worker for each file, by default. */
const project = (
  name: string,
  test: { isolate?: boolean; include: string[]; exclude: string[] },
): TestProjectInlineConfiguration => ({
  plugins: [
    {
      // As in the extension's build, such an import is a path: the script itself is for pages.
      name: 'script-paths',
      enforce: 'pre',
      load: (id) => (id.endsWith('?script&iife') ? "export default '/script.js';" : undefined),
    },
  ],
  test: {
    name,
    // For what hangs: a machine may be many times slower than the one before.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    ...test,
  },
});

// Tests that need no browser, beside the code they test. The browsers' end in .spec.ts, and Playwright's runner runs them.
export default defineConfig({
  test: {
    // One build of relay and calling service for every file that starts them as processes.
    globalSetup: 'testing/global-setup.ts',
    // More than the cores that they are meant for, since system tests often wait.
    maxWorkers: 3,
    projects: [
      // These files keep no state in modules and replace none: they share workers, so that each library is loaded once in each.
      project('shared-workers', {
        isolate: false,
        include: ['{bench,pbx,shared,tools}/**/*.test.{ts,tsx}'],
        exclude: [...exclude, phones, exhaustive],
      }),
      project('own-workers', {
        include: ['{e2e,extension,relay,sandbox,testing,widget}/**/*.test.{ts,tsx}'],
        exclude: [...exclude, exhaustive],
      }),
      // `npm test -- all` runs these, too.
      project('exhaustive', { include: [exhaustive], exclude: [...exclude, phones] }),
      project('phones', { include: [phones], exclude }),
    ],
  },
});
