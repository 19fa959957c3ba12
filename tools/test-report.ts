/** Reads what vitest and Playwright report as JSON: how many tests passed, and which failed. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../testing/child.ts';

export interface Count {
  passed: number;
  failed: number;
  /** Why the step could not run here. */
  notRun?: string;
  /** The title of each failed test, and the first lines of its error. */
  failures?: string[];
}

/** How many lines of a reason are shown: enough for what was expected and what came. */
const reasonLines = 8;
/** How many last lines of a runner's output are shown: enough for an error outside the tests. */
const lastLines = 40;

interface PlaywrightSuite {
  title: string;
  suites?: PlaywrightSuite[];
  /** One spec of a title is for both browsers. Its `ok` is only about the first browser. */
  specs?: { title: string; tests: readonly PlaywrightTest[] }[];
}
interface PlaywrightTest {
  projectName: string;
  status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
  results: readonly { errors: readonly { message?: string }[] }[];
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
  failures: suites.flatMap((suite) => failedSpecs(suite)),
});

const failedSpecs = ({ title, specs = [], suites = [] }: PlaywrightSuite): string[] => [
  ...specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status !== 'expected')
      .map((run) => `${title} › ${spec.title} (${run.projectName}, ${run.status})${reasonOf(errorsOf(run))}`),
  ),
  ...suites.flatMap((suite) => failedSpecs(suite).map((failed) => `${title} › ${failed}`)),
];

const errorsOf = ({ results }: PlaywrightTest): string[] =>
  results.flatMap(({ errors }) => errors.map(({ message = '' }) => message));

/** @returns the first lines of the first reason, each on a line of its own below the title. */
function reasonOf([reason = '']: readonly string[]): string {
  const lines = linesOf(reason).filter((line) => !/^ +at .*node_modules/.test(line));
  return below(lines.slice(0, reasonLines));
}

const linesOf = (text: string): string[] =>
  stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim() !== '');

const below = (lines: readonly string[]): string => lines.map((line) => `\n  ${line}`).join('');

export function vitestCount({ numPassedTests, numFailedTests, testResults }: VitestReport): Count {
  const failures = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(
        ({ fullName, failureMessages }) =>
          `${path.relative(root, name)} › ${fullName}${reasonOf(failureMessages)}`,
      ),
  );
  // A file that cannot be loaded has no tests that fail, but is a failure.
  const unloadable = testResults
    .filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
    .map(({ name, message }) => path.relative(root, name) + reasonOf([message]));
  return {
    passed: numPassedTests,
    failed: numFailedTests + unloadable.length,
    failures: [...failures, ...unloadable],
  };
}

/** How a program ended, and all that it wrote. */
export interface Ended {
  code: number;
  output: string;
}

/** A runner that fails without naming a test (an error outside the tests, no report) is one failure. */
export async function countOf<Report>(
  { code, output }: Ended,
  file: string,
  count: (report: Report) => Count,
): Promise<Count> {
  const report = await readFile(file, 'utf8').then(JSON.parse, () => undefined);
  const sum: Count = report === undefined ? { passed: 0, failed: 0 } : count(report as Report);
  if (code === 0 || sum.failed > 0) return sum;
  const ending = below(linesOf(output).slice(-lastLines));
  const failure = `${path.basename(file, '.json')}: exit code ${code}, with the last lines:${ending}`;
  return { ...sum, failed: 1, failures: [failure] };
}

export const sumOf = (counts: readonly Count[]): Count => ({
  passed: counts.reduce((sum, { passed }) => sum + passed, 0),
  failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  failures: counts.flatMap(({ failures = [] }) => failures),
});
