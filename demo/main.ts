/**
 * `npm start` runs the whole product on this machine. It builds the parts that are stale. Then it starts the sandbox (a
 * calling service and a CRM), the relay and a Chromium with the extension. Ctrl-C ends all of them.
 *
 * With `-- --once`, or without a display, it plays one call headless by real clicks, and prints a line for each step.
 * Screenshots are in `test-results/start/`. The exit code is 1 if a step fails.
 *
 * `-- --crm rt` (or odoo) also starts that real CRM, and logs calls from its pages there.
 * `-- --watch`, which is `npm run dev`, rebuilds and reloads a part when its sources change.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { demoToken } from '../sandbox/service.ts';
import type { ChromiumBrowser } from '../testing/browsers/chromium.ts';
import { ensureChromium } from '../testing/browsers/find-browsers.ts';
import { launchBrowser } from '../testing/browsers/launch.ts';
import { root } from '../testing/child.ts';
import { Cleanup, firstSignal } from '../testing/cleanup.ts';
import { freePort } from '../testing/servers/free-port.ts';
import { openWorkstation } from '../testing/workstation.ts';
import { rebuild } from '../tools/rebuild.ts';
import { watchFolders } from '../tools/watch-folders.ts';
import { ownCrm, type RealCrmName, realCrmNames, startRealCrm } from './logged-in-crm.ts';
import { playStory, showOnly } from './play-story.ts';
import { printCalls } from './print-calls.ts';
import { print, runStep, silence } from './progress.ts';

/** The exit code by which shells report that Ctrl-C ended a program. */
const interrupted = 130;

/** True once the demo only waits for Ctrl-C. A signal is the expected end then. */
let isWaiting = false;

/** @returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { once: { type: 'boolean' }, watch: { type: 'boolean' }, crm: { type: 'string' } },
  });
  const crm = realCrmNames.find((name) => name === values.crm);
  if (values.crm !== undefined && !crm) throw new Error(`--crm: expected ${realCrmNames.join(' or ')}`);
  const cleanup = new Cleanup();
  const ended = firstSignal(cleanup);
  void ended.then(silence);
  const { watch = false, once = !hasDisplay() } = values;
  const story = run({ cleanup, once, watch, ended, crmName: crm });
  try {
    // A signal ends the running step. The cleanup then ends what was started.
    const signal = await Promise.race([story, ended]);
    return signal === undefined || isWaiting ? 0 : interrupted;
  } finally {
    story.catch(() => {});
    await cleanup.run();
  }
}

interface Demo {
  cleanup: Cleanup;
  once: boolean;
  /** A change of a source rebuilds and reloads its part. */
  watch: boolean;
  ended: Promise<unknown>;
  crmName: RealCrmName | undefined;
}

async function run({ cleanup, once, watch, ended, crmName }: Demo): Promise<undefined> {
  const folder = await cleanup.addFolder('start');
  // The browser and its driver leave files in the temporary folder. These are removed with our own folder.
  // On macOS the paths of sockets would get too long there.
  if (process.platform === 'linux') process.env.TMPDIR = folder;

  const executable = await runStep(
    'a Chromium',
    (note) => ensureChromium(note),
    (file) => file,
  );
  let isHeadless = once;
  const launch = async (): Promise<ChromiumBrowser> => {
    const opened = (headless: boolean) =>
      runStep(`Chromium${headless ? ', headless,' : ''} with the extension`, () =>
        launchBrowser('chromium', { executable, headless }),
      );
    if (once) return opened(true);
    // A display that cannot be used counts as a missing one.
    return opened(false).catch(() => {
      print('  No window could be opened: playing the story headless.');
      isHeadless = true;
      return opened(true);
    });
  };
  const crm = crmName
    ? await runStep(`${crmName}, the real one`, () => startRealCrm(crmName, cleanup))
    : ownCrm;
  const workstation = await openWorkstation<ChromiumBrowser>('chromium', {
    ...{ cleanup, runStep, launch },
    // The documents name these ports. Others are used if these are taken.
    sandbox: { port: await freePort(3000), token: demoToken, speed: 1 },
    relayPort: await freePort(8787),
    // The played call is one of the cloud service. A person at the demo sees all events that a service can report.
    events: once ? 'hangup' : 'all',
    rules: crm.rules,
    relaySettings: crm.relaySettings,
  });
  const { browser, relay, sandbox } = workstation;
  const crmUrl = `${sandbox.url}/crm/`;
  await runStep('the extension, set up on its options page and enabled on the CRM', async () => {
    await workstation.setUp();
    await workstation.enableSite('127.0.0.1');
  });
  if (isHeadless) {
    const screenshots = path.join(root, 'test-results/start');
    await playStory({ browser, sandbox, crm, relayLog: relay.output, screenshots });
    return undefined;
  }
  await runStep('the CRM', () => showOnly(browser, crmUrl));
  if (watch) cleanup.add('the watch', rebuildOnChange(browser));
  print(`
  CRM      ${crmUrl}
  ticket   ${crm.ticketUrl(sandbox.url)}${crm.login ? `   log in as ${crm.login}` : ''}
  relay    ${relay.url}   agent key ${workstation.key}
  service  ${sandbox.url}/call   token ${sandbox.token}

  Click a phone number in the CRM. A call from a ticket is logged there. Ctrl-C ends everything.
`);
  printCalls(sandbox);
  isWaiting = true;
  const closed = new Promise((resolve) => browser.context.once('close', resolve));
  await Promise.race([ended, closed]);
  return undefined;
}

/** @returns a function that ends the watch. */
function rebuildOnChange(browser: ChromiumBrowser): () => void {
  const folders = ['extension', 'widget', 'shared', 'demo/crm'].map((name) => path.join(root, name));
  return watchFolders(folders, () =>
    runStep(
      'rebuild what changed',
      () => rebuild(browser),
      (parts) => parts.join(', ') || 'nothing',
    ).then(
      () => {},
      (error: Error) => print(error.message),
    ),
  );
}

function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

await main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(`\n${error.message}`);
    process.exit(1);
  },
);
