/**
 * The one entry for tests, benches and checks outside the project: a browser with the built extension, the sandbox as calling
 * service and CRM, and a relay between them, all real, on free ports, isolated from any other workstation.
 *
 *     const workstation = await openWorkstation('firefox');
 *     await workstation.setUp();                                  // on the options page: calls go through the relay
 *     await workstation.enableSite('127.0.0.1');
 *     const tab = await workstation.openTab(`${workstation.sandbox.url}/crm/`);
 *     …
 *     await workstation.close();
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox/service.ts';
import { buildStale } from '../tools/build.ts';
import type { Tab, TestBrowser } from './browsers/browser.ts';
import { removeFolder } from './browsers/chromium.ts';
import { type BrowserName, launchBrowser } from './browsers/launch.ts';
import { Cleanup } from './cleanup.ts';
import { addSite, agent, type ExtensionSettings, fillOptions } from './extension/options-page.ts';
import { type RelayProcess, startRelayProcess } from './relay/relay-process.ts';

export interface Workstation<Browser extends TestBrowser = TestBrowser> {
  readonly browser: Browser;
  readonly sandbox: Sandbox;
  readonly relay: RelayProcess;
  /** The agent's key at the relay. */
  readonly key: string;
  /** Sets the extension up on its options page; without settings, calls go through the relay. */
  setUp(settings?: ExtensionSettings): Promise<void>;
  /** Enables marking on this host. */
  enableSite(host: string): Promise<void>;
  openTab(url: string): Promise<Tab>;
  /** Ends everything that was started and removes its files. */
  close(): Promise<void>;
}

/** Runs one step of opening; a caller may report it. */
export type RunStep = <T>(title: string, work: () => Promise<T>, result?: (value: T) => string) => Promise<T>;

export interface WorkstationOptions<Browser extends TestBrowser> {
  /** Opens the browser in place of `launchBrowser`. */
  launch?: () => Promise<Browser>;
  sandbox?: SandboxOptions;
  /** `all`: the service also reports ringing and answers, and hangs up; the CRM's tickets have that right. Default: `hangup`. */
  events?: 'hangup' | 'all';
  /** Any free port by default. */
  relayPort?: number;
  runStep?: RunStep;
  /** What is started is added to it at once, so that an interrupted start leaves nothing behind. */
  cleanup?: Cleanup;
  /** False where the caller has built. */
  build?: boolean;
}

/** @throws Error naming what is missing (a browser) or failed (a build); nothing is left running then. */
export async function openWorkstation<Browser extends TestBrowser = TestBrowser>(
  browserName: BrowserName,
  options: WorkstationOptions<Browser> = {},
): Promise<Workstation<Browser>> {
  const cleanup = options.cleanup ?? new Cleanup();
  try {
    return await open(browserName, options, cleanup);
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

async function open<Browser extends TestBrowser>(
  browserName: BrowserName,
  {
    launch,
    sandbox: sandboxOptions,
    events = 'hangup',
    relayPort = 0,
    runStep = run,
    build = true,
  }: WorkstationOptions<Browser>,
  cleanup: Cleanup,
): Promise<Workstation<Browser>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dialmark-workstation-'));
  cleanup.add('the temporary folder', () => removeFolder(folder));
  if (build) {
    const controller = new AbortController();
    cleanup.add('the build', () => controller.abort());
    await runStep(
      'build what is stale',
      () => buildStale(undefined, controller),
      (parts) => (parts.length === 0 ? 'nothing was' : parts.join(', ')),
    );
  }
  const sandbox = await runStep(
    'the sandbox: calling service and CRM',
    () => startSandbox({ port: 0, speed: 4, ...sandboxOptions }),
    ({ url }) => url,
  );
  cleanup.add('the sandbox', () => sandbox.close());
  const relay = await runStep(
    'the relay',
    () =>
      startRelayProcess(
        {
          LISTEN: `127.0.0.1:${relayPort}`,
          PROVIDER_URL: sandbox.url,
          PROVIDER_TOKEN: sandbox.token,
          PROVIDER_EVENTS: events,
          STORE: `sqlite:${path.join(folder, 'relay.db')}`,
          COUNTRY: 'BR',
        },
        { ownGroup: true },
      ),
    ({ url }) => url,
  );
  cleanup.add('the relay', () => relay.stop('SIGTERM'));
  const key = await runStep(`an agent key for extension ${agent}, and a site key for the CRM`, async () => {
    const siteKey = await relay.print('site', 'add', 'crm', '--origin', sandbox.url, '--from', agent);
    const rights = ['watch', ...(events === 'all' ? ['hangup' as const] : [])] as const;
    sandbox.connectRelay({ url: relay.url, siteKey, from: agent, rights });
    return relay.print('key', 'add', '--from', agent, '--client-calls');
  });
  const browser = await (launch ?? (() => launchBrowser(browserName) as Promise<Browser>))();
  cleanup.add(browserName, () => browser.close());
  const workstation: Workstation<Browser> = {
    browser,
    sandbox,
    relay,
    key,
    setUp: (settings) => fillOptions(workstation, settings),
    enableSite: (host) => addSite(workstation, host),
    openTab: (url) => browser.newTab(url),
    close: () => cleanup.run(),
  };
  return workstation;
}

const run: RunStep = (_title, work) => work();
