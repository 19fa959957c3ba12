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
import { fileURLToPath } from 'node:url';
import { type Sandbox, startSandbox } from '../sandbox/service.ts';
import { ensureChromium } from '../testing/browsers/find-browsers.ts';
import { portOrFree } from '../testing/servers/port-or-free.ts';
import { buildStale } from './build-stale.ts';
import { configureExtension } from './configure-extension.ts';
import { startRelayProcess } from './demo-relay.ts';
import { type DemoBrowser, openBrowser } from './open-browser.ts';
import { playStory } from './play-story.ts';
import { tellCalls } from './print-calls.ts';
import { beSilent, say, step } from './progress.ts';
import { endOnSignals, type Undo } from './undo.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const agent = '1105';
const serviceToken = 'sandbox-token';
/** What shells answer for a program that Ctrl-C ended. */
const interrupted = 130;
const documentedPorts = { sandbox: 3000, relay: 8787 } as const;

/** Set once there is nothing left to do but wait for Ctrl-C: a signal is then the end that was meant. */
let staying = false;

/** @returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const unknown = args.filter((arg) => arg !== '--once');
  if (unknown.length > 0)
    throw new Error(`npm start takes --once and nothing else, got ${unknown.join(' ')}`);
  const { undo, ended } = endOnSignals();
  void ended.then(beSilent);
  const story = run(undo, args.includes('--once') || !hasDisplay(), ended);
  try {
    // A signal ends whatever step is running; what it had started is undone all the same.
    const signal = await Promise.race([story, ended]);
    return signal === undefined || staying ? 0 : interrupted;
  } finally {
    story.catch(() => {});
    await undo.all();
  }
}

async function run(undo: Undo, once: boolean, ended: Promise<unknown>): Promise<undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dialmark-start-'));
  undo.add('the temporary folder', () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  // What the browser and its driver leave in the temporary folder shall be in ours. Not on macOS: sockets' paths get too long.
  if (process.platform === 'linux') process.env.TMPDIR = folder;

  const executable = await step(
    'a Chromium',
    (tell) => ensureChromium(tell),
    (file) => file,
  );
  await step(
    'build what is stale',
    (tell) => buildStale(undo, tell),
    (parts) => parts,
  );
  const sandbox = await step(
    'the sandbox: calling service and CRM',
    () => openSandbox(undo),
    ({ url }) => url,
  );
  const relay = await step(
    'the relay',
    async () =>
      startRelayProcess(undo, {
        port: await portOrFree(documentedPorts.relay),
        store: path.join(folder, 'relay.db'),
        providerUrl: sandbox.url,
        providerToken: serviceToken,
      }),
    ({ url }) => url,
  );
  const agentKey = await step(`an agent key for extension ${agent}, and a site key for the CRM`, async () => {
    const key = await relay.print('key', 'add', '--from', agent);
    const siteKey = await relay.print('site', 'add', 'harbor', '--origin', sandbox.url, '--from', agent);
    sandbox.connectRelay({ url: relay.url, siteKey, from: agent });
    return key;
  });

  const browser = await open(undo, { executable, folder, once });
  await step('the extension, set up on its options page and enabled on the CRM', () =>
    configureExtension(browser, {
      relayUrl: relay.url,
      agentKey,
      from: agent,
      country: 'BR',
      host: '127.0.0.1',
    }),
  );
  if (browser.headless) {
    await playStory({
      browser,
      sandbox,
      agent,
      relayLog: relay.output,
      screenshots: path.join(root, 'test-results/start'),
    });
    return undefined;
  }
  await step('the CRM', async () => {
    await browser.showOnly(`${sandbox.url}/crm/`);
  });
  say(`
  CRM      ${sandbox.url}/crm/
  relay    ${relay.url}   agent key ${agentKey}
  service  ${sandbox.url}/call   token ${serviceToken}

  Click a phone number in the CRM. Ctrl-C ends everything.
`);
  tellCalls(sandbox);
  staying = true;
  await Promise.race([ended, browser.closed]);
  return undefined;
}

async function openSandbox(undo: Undo): Promise<Sandbox> {
  const options = { token: serviceToken };
  const sandbox = await startSandbox({ ...options, port: documentedPorts.sandbox }).catch((error) => {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
    return startSandbox({ ...options, port: 0 });
  });
  undo.add('the sandbox', () => sandbox.close());
  return sandbox;
}

/** A display that cannot be used after all is as none. */
async function open(
  undo: Undo,
  { executable, folder, once }: { executable: string; folder: string; once: boolean },
): Promise<DemoBrowser> {
  const options = {
    executable,
    extension: path.join(root, 'dist/chrome'),
    profile: path.join(folder, 'profile'),
  };
  const opened = (headless: boolean) =>
    step(headless ? 'Chromium, headless, with the extension' : 'Chromium with the extension', () =>
      openBrowser(undo, { ...options, headless }),
    );
  if (once) return opened(true);
  return opened(false).catch(() => {
    say('  No window could be opened: playing the story headless.');
    return opened(true);
  });
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
