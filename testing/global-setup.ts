import { buildStale } from '../tools/build.ts';

/** Builds, once and before any test, what vitest's (the servers) or Playwright's (everything) tests start. */
export default async function setup(): Promise<void> {
  await buildStale(process.env.VITEST ? ['relay', 'pbx'] : undefined);
}
