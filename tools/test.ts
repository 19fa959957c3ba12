/**
 * `npm test`: types, lint, build, unit tests and both browsers, in this order, each by its own tool. A later
 * step still runs when an earlier one failed, so that one run shows everything. Ends with what failed and
 * why, then one line, `N passed, N failed`.
 *
 * `npm test -- unit` (or machine, types, lint, build, e2e) runs one step alone. `npm test -- all` adds the
 * steps that take more time or need more of the machine. A step that this machine cannot run is named with
 * the reason, and counts neither as passed nor as failed.
 */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  ensureApplicationPackages,
  ensureCrmPackages,
  ensureDirectoryPackages,
} from '../testing/applications/application-packages.ts';
import { ensureDirectus } from '../testing/applications/directus-package.ts';
import { ensureAsteriskPackages } from '../testing/asterisk/asterisk-packages.ts';
import { ensureChromium, ensureDebianPackages, ensureFirefox } from '../testing/browsers/find-browsers.ts';
import { root, startChild } from '../testing/child.ts';
import { ensureOdooPackages } from '../testing/crm/odoo-packages.ts';
import { ensureNodeLts, nodeLts } from '../testing/node-lts.ts';
import { type Count, countOf, type Ended, playwrightCount, sumOf, vitestCount } from './test-report.ts';

const results = path.join(root, 'test-results');
/** Tests at a real Asterisk and phones. */
const phones = 'pbx/phones';
/** In the names of files of tests at real CRMs, and at Odoo. */
const realCrm = '.crm.test.';
const realOdoo = 'odoo.crm.test.';
/** A part of the names of test files that install packages from npm. */
const fromNpm = '.npm.test.';
/**
 * Marks of exhaustive tests, in the title of a browser test and in the name of a unit test file. These are further
 * variants of what other tests show once, such as a theme, a language or a fault. Others wait long for a clock.
 */
const exhaustive = { stories: '@exhaustive', files: '.exhaustive.test.' };
/** The mark of a story whose longer form is exhaustive. If that form runs, the story would only repeat it. */
const shortForm = '@short';
const servers = ['redis-server', 'mariadb-server', 'nginx-light', 'caddy', 'strace', 'systemd'];

/** @param isAll every step runs. */
type TestStep = (isAll: boolean) => Promise<Count>;

const without = (...patterns: string[]) => patterns.flatMap((files) => ['--exclude', files]);

const steps: Record<string, TestStep> = {
  async machine() {
    await printBrowsers();
    await ensureDebianPackages(servers);
    return { passed: 1, failed: 0 };
  },
  types: () => asOne(['node_modules/typescript/bin/tsc', '--noEmit']),
  lint: () => asOne(['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings']),
  build: () => asOne(['--import', 'tsx', 'tools/build.ts', '--if-stale', 'all']),
  unit: () =>
    vitest('unit', without(`${phones}/**`, `**/*${realCrm}*`, `**/*${fromNpm}*`, `**/*${exhaustive.files}*`)),
  e2e: (isAll) => playwright('e2e', ['--grep-invert', exhaustive.stories + (isAll ? `|${shortForm}` : '')]),
};

/** Steps that only `npm test -- all` runs, after the others. */
const onlyInAll: Record<string, TestStep> = {
  async exhaustive() {
    // These keep the processor busy, and a worker that does not start within a minute fails the run.
    const files = await vitest('exhaustive-unit', [exhaustive.files, '--maxWorkers=2']);
    return sumOf([files, await playwright('exhaustive-e2e', ['--grep', exhaustive.stories])]);
  },
  /** The widget's package in fresh projects. */
  packages: () => where(ensureNpmRegistry, () => vitest('packages', [fromNpm])),
  apps: () =>
    where(
      async () => {
        // One after the other: these unpack into one folder.
        await ensureApplicationPackages();
        await ensureCrmPackages();
        await ensureNodeLts();
        await ensureDirectus();
      },
      () => playwright('apps', ['--config', path.join(root, 'playwright.applications.config.ts')]),
    ),
  /** The connectors at Request Tracker, Redmine, Tryton, Odoo; the sources of names at Radicale, Xandikos, slapd. */
  crm: () =>
    where(
      async () => {
        // One after the other: both unpack into one folder.
        await ensureCrmPackages();
        await ensureDirectoryPackages();
      },
      async () => {
        // Odoo is from Debian's older suite and has a root of its own, which not every machine can have.
        const notRun = await ensureOdooPackages().then(
          () => undefined,
          ({ message }: Error) => `at Odoo, ${message}`,
        );
        const left = notRun === undefined ? [] : without(`**/*${realOdoo}*`);
        return { ...(await vitest('crm', [realCrm, ...left])), ...(notRun && { notRun }) };
      },
    ),
  phones: () =>
    where(ensureAsteriskPackages, async () => {
      await printBrowsers();
      // These tests mostly wait for phones. But they measure seconds, so the machine must not be busy.
      return vitest('phones', [phones, '--maxWorkers=2']);
    }),
  /** What users run in Node, on a newer Node than ours: processes, sockets, stores. */
  'node-lts': () =>
    where(ensureNodeLts, (program) => {
      console.log(`Node ${nodeLts}`);
      // A folder's name selects every path that contains it.
      const folders = [
        'relay/command-line',
        'relay/forward',
        'relay/routes',
        'relay/store',
        'relay/stream',
        'relay/system',
        'pbx/service',
        'registration/',
        'shared/server',
      ];
      const left = without('extension/**', `**/*${realCrm}*`, `**/*${exhaustive.files}*`);
      return vitest('node-lts', [...folders, ...left], program);
    }),
  /** The alert rules of the documents, by Prometheus' own tool. */
  alerts: () =>
    where(
      () => ensureDebianPackages(['prometheus']),
      async () =>
        sumOf([
          await asOne(['check', 'rules', 'docs/deploy/prometheus-alerts.yml'], 'promtool'),
          await asOne(['test', 'rules', 'relay/system/prometheus-alerts.test.yml'], 'promtool'),
        ]),
    ),
};

async function printBrowsers(): Promise<void> {
  console.log('chromium:', await ensureChromium());
  console.log('firefox:', await ensureFirefox());
}

/** @throws Error where npm reaches no registry. */
async function ensureNpmRegistry(): Promise<void> {
  const npm = startChild(['npm', 'view', 'vite', 'version']);
  if ((await npm.exited.catch(() => 1)) !== 0)
    throw new Error(`expected a registry of npm; ${npm.output().trim().split('\n').at(-1)}`);
}

/** Runs a step if its programs are available. */
async function where<T>(ensure: () => Promise<T>, step: (found: T) => Promise<Count>): Promise<Count> {
  let found: T;
  try {
    found = await ensure();
  } catch (error) {
    return { passed: 0, failed: 0, notRun: (error as Error).message };
  }
  return step(found);
}

/** @param name of the report. */
async function playwright(name: string, args: readonly string[]): Promise<Count> {
  const report = path.join(results, `${name}.json`);
  await rm(report, { force: true });
  const ended = await run(['node_modules/@playwright/test/cli.js', 'test', ...args], process.execPath, {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  });
  return countOf(ended, report, playwrightCount);
}

async function vitest(name: string, args: readonly string[], program = process.execPath): Promise<Count> {
  const report = path.join(results, `${name}.json`);
  await rm(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  // A test that starts `node` gets the same one.
  const environment = { PATH: [path.dirname(program), process.env.PATH].join(path.delimiter) };
  const command = ['node_modules/vitest/vitest.mjs', 'run', ...args, ...reporters];
  return countOf(await run(command, program, environment), report, vitestCount);
}

async function run(
  args: readonly string[],
  program: string = process.execPath,
  environment: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const child = startChild([program, ...args], { ownGroup: false, showOutput: true, environment });
  return { code: await child.exited, output: child.output() };
}

async function asOne(args: string[], program?: string): Promise<Count> {
  const { code } = await run(args, program);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** @returns the names of the wanted steps. `--kills N`: the random kills of the phones' tests. */
function readArguments(args: string[]): { names: string[]; isAll: boolean } {
  const options = { kills: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.kills !== undefined) {
    if (!/^[1-9]\d{0,5}$/.test(values.kills))
      throw new Error(`npm test: --kills: expected a whole number above 0, got ${values.kills}`);
    process.env.PHONES_KILLS = values.kills;
  }
  const isAll = positionals.includes('all');
  const available = Object.keys({ ...steps, ...onlyInAll });
  const unknown = positionals.filter((name) => name !== 'all' && !available.includes(name));
  if (unknown.length > 0)
    throw new Error(`npm test: expected all or steps of ${available.join(', ')}; got ${unknown.join(', ')}`);
  if (isAll) return { names: available, isAll };
  return { names: positionals.length === 0 ? Object.keys(steps) : positionals, isAll };
}

async function main(args: string[]): Promise<void> {
  const { names, isAll } = readArguments(args);
  await mkdir(results, { recursive: true });
  const counts: Count[] = [];
  for (const [name, step] of Object.entries({ ...steps, ...onlyInAll })) {
    if (!names.includes(name)) continue;
    const started = performance.now();
    console.log(`\n== ${name}`);
    const count = await step(isAll).catch((error: Error): Count => {
      console.error(error.message);
      return { passed: 0, failed: 1 };
    });
    if (count.notRun !== undefined) count.notRun = `${name} not run: ${count.notRun}`;
    // A runner may fail without naming a test.
    if (count.failed > 0 && !count.failures?.length) count.failures = [name];
    counts.push(count);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(`== ${name}: ${count.passed} passed, ${count.failed} failed in ${seconds} s`);
  }
  const { passed, failed, failures = [] } = sumOf(counts);
  for (const line of failures) console.log(`\nFailed: ${line}`);
  for (const { notRun } of counts) if (notRun !== undefined) console.log(`\n${notRun}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
