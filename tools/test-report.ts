/** Reads what vitest and Playwright report as JSON: how many tests passed, and which failed. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../testing/child.ts';

export interface Count {
  passed: number;
  failed: number;
  /** Why the step could not run here. */
  notRun?: string;
  /** Titles of failed tests; the runner has printed why. */
  failures?: string[];
}

interface PlaywrightSuite {
  title: string;
  suites?: PlaywrightSuite[];
  specs?: { title: string; ok: boolean }[];
}
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
}
interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

export const playwrightCount = ({ stats, suites }: PlaywrightReport): Count => ({
  passed: stats.expected,
  failed: stats.unexpected + stats.flaky + stats.skipped,
  failures: suites.flatMap((suite) => failedSpecs(suite)),
});

const failedSpecs = ({ title, specs = [], suites = [] }: PlaywrightSuite): string[] => [
  ...specs.filter(({ ok }) => !ok).map((spec) => `${title} › ${spec.title}`),
  ...suites.flatMap((suite) => failedSpecs(suite).map((failed) => `${title} › ${failed}`)),
];

export function vitestCount({ numPassedTests, numFailedTests, testResults }: VitestReport): Count {
  const failures = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `${path.relative(root, name)} › ${fullName}`),
  );
  // A file that cannot be loaded has no tests that fail, but is a failure.
  const unloadable = testResults
    .filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
    .map(({ name }) => path.relative(root, name));
  return {
    passed: numPassedTests,
    failed: numFailedTests + unloadable.length,
    failures: [...failures, ...unloadable],
  };
}

/** @returns the report's count. A runner that fails without naming a test is one failure. */
export async function countOf<Report>(
  code: number,
  file: string,
  count: (report: Report) => Count,
): Promise<Count> {
  const report = await readFile(file, 'utf8').then(JSON.parse, () => undefined);
  const sum: Count = report === undefined ? { passed: 0, failed: 0 } : count(report as Report);
  return code !== 0 && sum.failed === 0 ? { ...sum, failed: 1 } : sum;
}

export const sumOf = (counts: readonly Count[]): Count => ({
  passed: counts.reduce((sum, { passed }) => sum + passed, 0),
  failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  failures: counts.flatMap(({ failures = [] }) => failures),
});
