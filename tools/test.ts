/**
 * `npm test`: types, lint, build, unit tests and both browsers, in this order, each by its own tool. A later step still runs when
 * an earlier one failed, so that one run shows everything. Ends with one line, `N passed, N failed`.
 *
 * `npm test -- unit` (or machine, types, lint, build, e2e) runs one step alone; `npm test -- all` adds the steps that need more of
 * the machine.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { ensureChromium, ensureDebianPackages, ensureFirefox } from '../testing/browsers/find-browsers.ts';
import { root, startChild } from './child.ts';

const results = path.join(root, 'test-results');

interface Count {
  passed: number;
  failed: number;
}

type Step = () => Promise<Count>;

const steps: Record<string, Step> = {
  async machine() {
    console.log('chromium:', await ensureChromium());
    console.log('firefox:', await ensureFirefox());
    await ensureDebianPackages([
      'redis-server',
      'mariadb-server',
      'nginx-light',
      'caddy',
      'strace',
      'systemd',
    ]);
    return { passed: 1, failed: 0 };
  },
  types: () => asOne(['node_modules/typescript/bin/tsc', '--noEmit']),
  lint: () => asOne(['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings']),
  build: () => asOne(['--import', 'tsx', 'tools/build.ts', '--if-stale', 'all']),
  async unit() {
    const report = path.join(results, 'unit.json');
    const code = await run([
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ]);
    return counted(code, report, (json) => {
      // A file that cannot even be loaded has no tests to fail, but is a failure.
      const suites = json.testResults as { status: string; assertionResults: unknown[] }[];
      const unloadable = suites.filter(
        (suite) => suite.status === 'failed' && suite.assertionResults.length === 0,
      );
      return {
        passed: json.numPassedTests as number,
        failed: (json.numFailedTests as number) + unloadable.length,
      };
    });
  },
  async e2e() {
    const report = path.join(results, 'e2e.json');
    const code = await run(['node_modules/@playwright/test/cli.js', 'test']);
    return counted(code, report, (json) => {
      const stats = json.stats as { expected: number; unexpected: number; flaky: number; skipped: number };
      return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped };
    });
  },
};

/** Steps that only `npm test -- all` runs, after the others: suites that need more of the machine. */
const onlyInAll: Record<string, Step> = {};

const run = (args: string[]): Promise<number> =>
  startChild([process.execPath, ...args], { ownGroup: false, showOutput: true }).exited;

async function asOne(args: string[]): Promise<Count> {
  return (await run(args)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** What the runner's own report counts; a runner that failed without saying in what is one failure. */
async function counted(
  code: number,
  report: string,
  count: (json: Record<string, unknown>) => Count,
): Promise<Count> {
  const json = await readFile(report, 'utf8').then(JSON.parse, () => undefined);
  const sum = json === undefined ? { passed: 0, failed: 0 } : count(json);
  return code !== 0 && sum.failed === 0 ? { ...sum, failed: 1 } : sum;
}

async function main(names: string[]): Promise<void> {
  const isAll = names.includes('all');
  const available = { ...steps, ...onlyInAll };
  const unknown = names.filter((name) => name !== 'all' && !(name in available));
  if (unknown.length > 0)
    throw new Error(
      `npm test: expected all or steps of ${Object.keys(available).join(', ')}; got ${unknown.join(', ')}`,
    );
  const isWanted = (name: string) => (names.length === 0 ? name in steps : isAll || names.includes(name));
  await mkdir(results, { recursive: true });
  const total: Count = { passed: 0, failed: 0 };
  for (const [name, step] of Object.entries(available)) {
    if (!isWanted(name)) continue;
    await rm(path.join(results, `${name}.json`), { force: true });
    const started = performance.now();
    console.log(`\n== ${name}`);
    const count = await step().catch((error: Error) => {
      console.error(error.message);
      return { passed: 0, failed: 1 };
    });
    total.passed += count.passed;
    total.failed += count.failed;
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(`== ${name}: ${count.passed} passed, ${count.failed} failed in ${seconds} s`);
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
