import { buildStale } from '../tools/build.ts';

/** What Vitest hands to a setup. Playwright's has no such function. */
interface Runner {
  onTestsRerun?(run: () => Promise<void>): void;
}

/** Builds, before any test, what vitest's (the servers) or Playwright's (everything) tests start. */
export default async function setup(runner: Runner): Promise<void> {
  const build = async () => {
    await buildStale(process.env.VITEST ? ['relay', 'pbx'] : undefined);
  };
  await build();
  runner.onTestsRerun?.(build);
}
