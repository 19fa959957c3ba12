/** Reads what vitest and Playwright report as JSON: how many tests passed and failed, and why. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../testing/child.ts';

export interface Count {
  passed: number;
  failed: number;
  /** Why the step could not run here. */
  notRun?: string;
  /** Failed tests, each with the first lines of its error. The end of a long run prints them again. */
  failures?: string[];
}

interface PlaywrightSuite {
  title: string;
  suites?: PlaywrightSuite[];
  specs?: { title: string; tests: PlaywrightTest[] }[];
}

interface PlaywrightTest {
  projectName: string;
  status: string;
  results: { errors?: { message?: string }[]; stdout?: { text?: string }[] }[];
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
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

export const playwrightCount = ({ stats, suites }: PlaywrightReport): Count => ({
  passed: stats.expected,
  failed: stats.unexpected + stats.flaky + stats.skipped,
  failures: suites.flatMap((suite) => failedStories(suite)),
});

function failedStories(suite: PlaywrightSuite, above: readonly string[] = []): string[] {
  const titles = [...above, suite.title];
  const own = (suite.specs ?? []).flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status !== 'expected')
      .map(({ projectName, results }) => {
        const error = results.flatMap(({ errors = [] }) => errors)[0]?.message ?? 'not run';
        // A failed story prints what its open tabs show.
        const output = results.flatMap(({ stdout = [] }) => stdout.map(({ text = '' }) => text)).join('');
        return `${failure([projectName, ...titles, title], error)}\n${output.slice(0, 3_000)}`.trim();
      }),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => failedStories(inner, titles))];
}

/** A file that cannot be loaded has no tests that fail, but is a failure. */
export function vitestCount({ numPassedTests, numFailedTests, testResults }: VitestReport): Count {
  const failures: string[] = [];
  let unloadable = 0;
  for (const { name, status, message, assertionResults } of testResults) {
    const file = path.relative(root, name);
    if (status === 'failed' && assertionResults.length === 0) {
      unloadable += 1;
      failures.push(failure([file], message));
    }
    for (const { fullName, status, failureMessages } of assertionResults)
      if (status === 'failed') failures.push(failure([file, fullName], failureMessages.join('\n')));
  }
  return { passed: numPassedTests, failed: numFailedTests + unloadable, failures };
}

const failure = (titles: readonly string[], error: string): string =>
  [titles.join(' › '), ...stripVTControlCharacters(error).trim().split('\n').slice(0, 8)].join('\n    ');

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
