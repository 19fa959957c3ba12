/**
 * `npm test`: types, lint, build, unit tests and both browsers, in this order, each by its own tool. A later
 * step still runs when an earlier one failed, so that one run shows everything. Ends with what failed and
 * why, then one line, `N passed, N failed`.
 *
 * `npm test -- unit` (or machine, types, lint, build, e2e) runs one step alone; `npm test -- all` adds the
 * steps that take more time or need more of the machine: `exhaustive`, `apps`, `crm`, `phones`, whose random kills
 * are as many as `--kills` says, `node-lts` and `alerts`. A step that this machine cannot run is named with
 * the reason, and counts neither as passed nor as failed.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import {
  ensureApplicationPackages,
  ensureCrmPackages,
} from '../testing/applications/application-packages.ts';
import { ensureAsteriskPackages } from '../testing/asterisk/asterisk-packages.ts';
import { ensureChromium, ensureDebianPackages, ensureFirefox } from '../testing/browsers/find-browsers.ts';
import { root, startChild } from '../testing/child.ts';
import { ensureNodeLts, nodeLts } from '../testing/node-lts.ts';

const results = path.join(root, 'test-results');
/** Tests at a real Asterisk and phones. */
const phones = 'pbx/phones';
/** In the name of a file of tests at real CRMs. */
const realCrm = '.crm.test.';
/**
 * In the title of a story and in the name of a file of unit tests: further variants of what other tests show
 * once (a theme, layout, language, fault, gesture, hazard of pages), and what waits long for a clock or
 * another program.
 */
const exhaustive = { stories: '@exhaustive', files: '.exhaustive.test.' };
/** In the title of a story whose longer form is exhaustive: with that, it would repeat the same. */
const shortForm = '@short';

interface Count {
  passed: number;
  failed: number;
  /** Why the step could not run here. */
  notRun?: string;
  /** What failed, each with the first lines of its error: the end of a long run says it again. */
  failures?: string[];
}

/** @param isAll every step runs. */
type Step = (isAll: boolean) => Promise<Count>;

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
  unit: () =>
    vitest(
      'unit',
      [`${phones}/**`, `**/*${realCrm}*`, `**/*${exhaustive.files}*`].flatMap((files) => [
        '--exclude',
        files,
      ]),
    ),
  e2e: (isAll) => playwright('e2e', ['--grep-invert', exhaustive.stories + (isAll ? `|${shortForm}` : '')]),
};

/** Steps that only `npm test -- all` runs, after the others: suites that need more of the machine. */
const onlyInAll: Record<string, Step> = {
  async exhaustive() {
    const files = await vitest('exhaustive-unit', [exhaustive.files]);
    return sumOf([files, await playwright('exhaustive-e2e', ['--grep', exhaustive.stories])]);
  },
  apps: () =>
    where(ensureApplicationPackages, () =>
      playwright('apps', ['--config', path.join(root, 'playwright.applications.config.ts')]),
    ),
  /** The connectors at Request Tracker, Redmine and Tryton. */
  crm: () => where(ensureCrmPackages, () => vitest('crm', [realCrm, '--maxWorkers=2'])),
  phones: () =>
    where(ensureAsteriskPackages, async () => {
      console.log('chromium:', await ensureChromium());
      console.log('firefox:', await ensureFirefox());
      // Two files at a time: most of what they do is to wait for phones, and what they measure in seconds
      // needs the machine.
      return vitest('phones', [phones, '--maxWorkers=2']);
    }),
  /** What runs in Node at its users, on a newer Node than ours. */
  'node-lts': () =>
    where(ensureNodeLts, (program) => {
      console.log(`Node ${nodeLts}`);
      return vitest(
        'node-lts',
        [
          ...['shared', 'relay', 'pbx', 'registration'],
          ...['--exclude', `${phones}/**`, '--exclude', `**/*${realCrm}*`],
        ],
        program,
      );
    }),
  /** The alert rules that the documents offer, by Prometheus' own tool. */
  alerts: () =>
    where(
      () => ensureDebianPackages(['prometheus']),
      async () => {
        const rules = await asOne(['check', 'rules', 'docs/deploy/prometheus-alerts.yml'], 'promtool');
        const tests = await asOne(['test', 'rules', 'relay/system/prometheus-alerts.test.yml'], 'promtool');
        return { passed: rules.passed + tests.passed, failed: rules.failed + tests.failed };
      },
    ),
};

/** Runs a step where its programs can be had. */
async function where<T>(ensure: () => Promise<T>, step: (found: T) => Promise<Count>): Promise<Count> {
  let found: T;
  try {
    found = await ensure();
  } catch (error) {
    return { passed: 0, failed: 0, notRun: (error as Error).message };
  }
  return step(found);
}

const sumOf = (counts: readonly Count[]): Count => ({
  passed: counts.reduce((sum, { passed }) => sum + passed, 0),
  failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  failures: counts.flatMap(({ failures = [] }) => failures),
});

/** @param name of the report. */
async function playwright(name: string, args: readonly string[]): Promise<Count> {
  const report = path.join(results, `${name}.json`);
  const environment = { PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  await rm(report, { force: true });
  const code = await run(
    ['node_modules/@playwright/test/cli.js', 'test', ...args],
    process.execPath,
    environment,
  );
  return counted(code, report, (json) => {
    const { stats, suites } = json as unknown as PlaywrightReport;
    return {
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + stats.skipped,
      failures: suites.flatMap((suite) => failedStories(suite)),
    };
  });
}

/** What we read of Playwright's JSON report. */
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
}

interface PlaywrightSuite {
  title: string;
  suites?: PlaywrightSuite[];
  specs?: {
    title: string;
    tests: { projectName: string; status: string; results: PlaywrightResult[] }[];
  }[];
}

interface PlaywrightResult {
  errors?: { message?: string }[];
  stdout?: { text?: string }[];
}

function failedStories(suite: PlaywrightSuite, above: readonly string[] = []): string[] {
  const titles = [...above, suite.title];
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests
      .filter((test) => test.status !== 'expected')
      .map((test) => {
        const error = test.results.flatMap((result) => result.errors ?? [])[0]?.message ?? 'not run';
        // What the open tabs showed, among others.
        const output = test.results
          .flatMap(({ stdout = [] }) => stdout)
          .map(({ text = '' }) => text)
          .join('')
          .slice(0, 3_000);
        return [failure([test.projectName, ...titles, spec.title], error), output].join('\n').trim();
      }),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => failedStories(inner, titles))];
}

const failure = (titles: readonly string[], error: string): string =>
  [titles.join(' › '), ...stripVTControlCharacters(error).trim().split('\n').slice(0, 8)].join('\n    ');

/** What we read of Vitest's JSON report, one test file. */
interface VitestFile {
  name: string;
  status: string;
  message: string;
  assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
}

async function vitest(
  name: string,
  args: readonly string[],
  program: string = process.execPath,
): Promise<Count> {
  const report = path.join(results, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  // A test that starts `node` gets the same one.
  const environment = { PATH: [path.dirname(program), process.env.PATH].join(path.delimiter) };
  const code = await run(
    ['node_modules/vitest/vitest.mjs', 'run', ...args, ...reporters],
    program,
    environment,
  );
  return counted(code, report, (json) => {
    // A file that cannot even be loaded has no tests to fail, but is a failure.
    const files = json.testResults as VitestFile[];
    const unloadable = files.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
    return {
      passed: json.numPassedTests as number,
      failed: (json.numFailedTests as number) + unloadable.length,
      failures: [
        ...unloadable.map((file) => failure([path.relative(root, file.name)], file.message)),
        ...files.flatMap((file) =>
          file.assertionResults
            .filter((test) => test.status === 'failed')
            .map((test) =>
              failure([path.relative(root, file.name), test.fullName], test.failureMessages.join('\n')),
            ),
        ),
      ],
    };
  });
}

const run = (
  args: readonly string[],
  program: string = process.execPath,
  environment: NodeJS.ProcessEnv = {},
): Promise<number> =>
  startChild([program, ...args], { ownGroup: false, showOutput: true, environment }).exited;

async function asOne(args: string[], program?: string): Promise<Count> {
  return (await run(args, program)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
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

async function main(args: string[]): Promise<void> {
  const { values, positionals: names } = parseArgs({
    args,
    options: { kills: { type: 'string' } },
    allowPositionals: true,
  });
  if (values.kills !== undefined) {
    if (!/^[1-9]\d{0,5}$/.test(values.kills))
      throw new Error(`npm test: --kills: expected a whole number above 0, got ${values.kills}`);
    process.env.PHONES_KILLS = values.kills;
  }
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
  const notRun: string[] = [];
  const failures: string[] = [];
  for (const [name, step] of Object.entries(available)) {
    if (!isWanted(name)) continue;
    await rm(path.join(results, `${name}.json`), { force: true });
    const started = performance.now();
    console.log(`\n== ${name}`);
    const count: Count = await step(isAll).catch((error: Error) => {
      console.error(error.message);
      return { passed: 0, failed: 1 };
    });
    if (count.notRun !== undefined) notRun.push(`${name} not run: ${count.notRun}`);
    total.passed += count.passed;
    total.failed += count.failed;
    // A runner may fail without saying in what.
    if (count.failed > 0) failures.push(...(count.failures?.length ? count.failures : [name]));
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(`== ${name}: ${count.passed} passed, ${count.failed} failed in ${seconds} s`);
  }
  for (const line of failures) console.log(`\nFailed: ${line}`);
  for (const line of notRun) console.log(`\n${line}`);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
