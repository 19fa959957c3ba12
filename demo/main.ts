/**
 * `npm start`: the whole story on this machine. Builds what is stale, starts the sandbox (the calling service and a CRM) and the
 * relay, and opens a Chromium with the extension set up on the CRM; stays until Ctrl-C and then leaves nothing behind.
 *
 * Without a display, or as `npm start -- --once`, it plays the story headless with real clicks: one line a step, screenshots in
 * `test-results/start/`, exit 0; a step that does not happen is named, exit 1.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { demoToken } from '../sandbox/service.ts';
import type { ChromiumBrowser } from '../testing/browsers/chromium.ts';
import { ensureChromium } from '../testing/browsers/find-browsers.ts';
import { launchBrowser } from '../testing/browsers/launch.ts';
import { Cleanup, firstSignal } from '../testing/cleanup.ts';
import { freePort } from '../testing/servers/free-port.ts';
import { openWorkstation } from '../testing/workstation.ts';
import { root } from '../tools/child.ts';
import { playStory, showOnly } from './play-story.ts';
import { printCalls } from './print-calls.ts';
import { print, runStep, silence } from './progress.ts';

/** What shells answer for a program that Ctrl-C ended. */
const interrupted = 130;
const documentedPorts = { sandbox: 3000, relay: 8787 } as const;

/** True once nothing is left to do but wait for Ctrl-C: a signal is then the expected end. */
let isWaiting = false;

/** @returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const unknown = args.filter((arg) => arg !== '--once');
  if (unknown.length > 0)
    throw new Error(`npm start takes --once and nothing else, got ${unknown.join(' ')}`);
  const cleanup = new Cleanup();
  const ended = firstSignal(cleanup);
  void ended.then(silence);
  const story = run(cleanup, args.includes('--once') || !hasDisplay(), ended);
  try {
    // A signal ends whatever step is running; what it started is cleaned up.
    const signal = await Promise.race([story, ended]);
    return signal === undefined || isWaiting ? 0 : interrupted;
  } finally {
    story.catch(() => {});
    await cleanup.run();
  }
}

async function run(cleanup: Cleanup, once: boolean, ended: Promise<unknown>): Promise<undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dialmark-start-'));
  cleanup.add('the temporary folder', () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  // What the browser and its driver leave in the temporary folder is removed with ours. On macOS sockets' paths would get too long.
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
    // A display that cannot be used counts as none.
    return opened(false).catch(() => {
      print('  No window could be opened: playing the story headless.');
      isHeadless = true;
      return opened(true);
    });
  };
  const workstation = await openWorkstation('chromium', {
    cleanup,
    runStep,
    launch,
    sandbox: { port: await freePort(documentedPorts.sandbox), token: demoToken, speed: 1 },
    relayPort: await freePort(documentedPorts.relay),
    // The story is one of the provider's cloud; whoever clicks sees all that a service can report.
    events: once ? 'hangup' : 'all',
  });
  const { browser, relay, sandbox } = workstation;
  await runStep('the extension, set up on its options page and enabled on the CRM', async () => {
    await workstation.setUp();
    await workstation.enableSite('127.0.0.1');
  });
  if (isHeadless) {
    await playStory({
      browser,
      sandbox,
      relayLog: relay.output,
      screenshots: path.join(root, 'test-results/start'),
    });
    return undefined;
  }
  await runStep('the CRM', () => showOnly(browser, `${sandbox.url}/crm/`));
  print(`
  CRM      ${sandbox.url}/crm/
  relay    ${relay.url}   agent key ${workstation.key}
  service  ${sandbox.url}/call   token ${sandbox.token}

  Click a phone number in the CRM. Ctrl-C ends everything.
`);
  printCalls(sandbox);
  isWaiting = true;
  const closed = new Promise((resolve) => browser.context.once('close', resolve));
  await Promise.race([ended, closed]);
  return undefined;
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
