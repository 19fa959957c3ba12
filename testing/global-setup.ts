import { buildStale } from '../tools/build.ts';

/** What Vitest gives to a setup. Playwright gives something else, without this function. */
interface Runner {
  onTestsRerun?(run: () => Promise<void>): void;
}

/** Before any test, builds what the tests start: the servers for vitest, everything for Playwright. */
export default async function setup(runner: Runner): Promise<void> {
  const build = async () => {
    await buildStale(process.env.VITEST ? ['relay', 'pbx'] : undefined);
  };
  await build();
  runner.onTestsRerun?.(build);
}
