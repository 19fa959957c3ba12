/**
 * `npm start`: the whole story on this machine. Builds what is stale, starts the sandbox (the calling service
 * and a CRM) and the relay, and opens a Chromium with the extension set up on the CRM; stays until Ctrl-C and
 * then leaves nothing behind. `npm start -- --phones` starts a real Asterisk and two phones in place of the
 * sandbox; the CRM's page has their buttons.
 *
 * Without a display, or as `npm start -- --once`, it plays the story headless with real clicks: one line a
 * step, screenshots in `test-results/start/`, exit 0; a step that does not happen is named, exit 1.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ChromiumBrowser } from '../testing/browsers/chromium.ts';
import { ensureChromium } from '../testing/browsers/find-browsers.ts';
import { launchBrowser } from '../testing/browsers/launch.ts';
import { root } from '../testing/child.ts';
import { Cleanup, firstSignal } from '../testing/cleanup.ts';
import { openSandboxDemo } from './open-sandbox-demo.ts';
import { openPhonesDemo } from './phones/open-phones-demo.ts';
import { print, runStep, silence } from './progress.ts';
import { showOnly } from './story-page.ts';

/** What shells answer for a program that Ctrl-C ended. */
const interrupted = 130;

/** True once nothing is left to do but wait for Ctrl-C: a signal is then the expected end. */
let isWaiting = false;

/** @returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const unknown = args.filter((arg) => arg !== '--once' && arg !== '--phones');
  if (unknown.length > 0)
    throw new Error(`npm start takes --once and --phones, and nothing else; got ${unknown.join(' ')}`);
  const cleanup = new Cleanup();
  const ended = firstSignal(cleanup);
  void ended.then(silence);
  const once = args.includes('--once') || !hasDisplay();
  const story = run(cleanup, { once, withPhones: args.includes('--phones') }, ended);
  try {
    // A signal ends whatever step is running; what it started is cleaned up.
    const signal = await Promise.race([story, ended]);
    return signal === undefined || isWaiting ? 0 : interrupted;
  } finally {
    story.catch(() => {});
    await cleanup.run();
  }
}

async function run(
  cleanup: Cleanup,
  { once, withPhones }: { once: boolean; withPhones: boolean },
  ended: Promise<unknown>,
): Promise<undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dialmark-start-'));
  cleanup.add('the temporary folder', () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  // What the browser and its driver leave in the temporary folder is removed with ours. On macOS sockets'
  // paths would get too long.
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
  const open = withPhones ? openPhonesDemo : openSandboxDemo;
  const demo = await open({ cleanup, runStep, launch, once });
  const { browser, crmUrl } = demo;
  await runStep('the extension, set up on its options page and enabled on the CRM', async () => {
    await demo.setUp();
    await demo.enableSite('127.0.0.1');
  });
  if (isHeadless) {
    await demo.play(path.join(root, 'test-results/start'));
    return undefined;
  }
  await runStep('the CRM', () => showOnly(browser, crmUrl));
  print(`
  CRM      ${crmUrl}
  relay    ${demo.relay.url}   agent key ${demo.key}
  service  ${demo.provider.url}/call   token ${demo.provider.token}

  ${demo.invitation} Ctrl-C ends everything.
`);
  demo.follow();
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
