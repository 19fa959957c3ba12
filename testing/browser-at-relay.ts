/** A real browser with the built extension and a real relay. The caller starts the calling service and the CRM. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CrmRelay } from '../sandbox/crm-host.ts';
import { buildStale } from '../tools/build.ts';
import type { Tab, TestBrowser } from './browsers/browser.ts';
import { type BrowserName, launchBrowser } from './browsers/launch.ts';
import { Cleanup } from './cleanup.ts';
import {
  addSite,
  agent,
  type CallingService,
  type ExtensionSettings,
  fillOptions,
} from './extension/options-page.ts';
import { type RelayProcess, startRelayProcess } from './relay/relay-process.ts';

/** The website that embeds the widget, and on which agents click. */
interface CrmSite {
  readonly url: string;
  connectRelay(relay: CrmRelay): void;
}

export interface BrowserAtRelay<Browser extends TestBrowser = TestBrowser> {
  readonly browser: Browser;
  readonly relay: RelayProcess;
  readonly provider: CallingService;
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

/** Runs one step of opening. A caller's own function may report the step. */
type RunStep = <T>(title: string, work: () => Promise<T>, result?: (value: T) => string) => Promise<T>;

export interface BrowserAtRelayOptions<Browser extends TestBrowser> {
  /** Opens the browser in place of `launchBrowser`. */
  launch?: () => Promise<Browser>;
  /** With `all`, the service also reports ringing and answers, and the CRM's tickets may hang up. Default: `hangup`. */
  events?: 'hangup' | 'all';
  /** The team's rules, as the operator writes them. A function makes them if they name the CRM's address. */
  rules?: object | ((crmUrl: string) => object);
  /** The team's directory, as a CSV file. */
  directory?: string;
  /** More of the relay's settings. */
  relaySettings?: (crmUrl: string) => Record<string, string>;
  /** Any free port by default. */
  relayPort?: number;
  runStep?: RunStep;
  /** Each part is added to it as soon as it is started. So an interrupted start can be cleaned up. */
  cleanup?: Cleanup;
  /** False if the caller has built already. */
  build?: boolean;
}

interface StartContext {
  cleanup: Cleanup;
  runStep: RunStep;
}

/**
 * @param startService starts the calling service and the CRM, after the build and before the relay.
 * @throws Error naming what is missing (a browser) or failed (a build); nothing is left running then.
 */
export async function openBrowserAtRelay<Browser extends TestBrowser = TestBrowser>(
  browserName: BrowserName,
  options: BrowserAtRelayOptions<Browser>,
  startService: (context: StartContext) => Promise<{ provider: CallingService; crm: CrmSite }>,
): Promise<BrowserAtRelay<Browser>> {
  const { launch, events = 'hangup', rules, directory, relayPort = 0, runStep = run, build = true } = options;
  const cleanup = options.cleanup ?? new Cleanup();
  const open = async (): Promise<BrowserAtRelay<Browser>> => {
    const folder = await cleanup.addFolder('workstation');
    if (build) {
      const controller = new AbortController();
      cleanup.add('the build', () => controller.abort());
      await runStep(
        'build what is stale',
        () => buildStale(undefined, controller),
        (parts) => (parts.length === 0 ? 'nothing was' : parts.join(', ')),
      );
    }
    const rulesFile = path.join(folder, 'rules.json');
    const directoryFile = path.join(folder, 'people.csv');
    if (directory) await writeFile(directoryFile, directory);
    const startServers = async () => {
      const { provider, crm } = await startService({ cleanup, runStep });
      const written = typeof rules === 'function' ? rules(crm.url) : rules;
      if (written) await writeFile(rulesFile, JSON.stringify(written));
      const relay = await runStep(
        'the relay',
        () =>
          startRelayProcess(
            {
              LISTEN: `127.0.0.1:${relayPort}`,
              PROVIDER_URL: provider.url,
              PROVIDER_TOKEN: provider.token,
              PROVIDER_EVENTS: events,
              STORE: `sqlite:${path.join(folder, 'relay.db')}`,
              COUNTRY: 'BR',
              ...(rules && { RULES_FILE: rulesFile }),
              ...(directory && {
                DIRECTORY_TEAM_KIND: 'csv',
                DIRECTORY_TEAM_URL: directoryFile,
                DIRECTORY_TEAM_COUNTRY: 'BR',
              }),
              ...options.relaySettings?.(crm.url),
            },
            { ownGroup: true },
          ),
        ({ url }) => url,
      );
      cleanup.add('the relay', () => relay.stop('SIGTERM'));
      const key = await runStep(`an agent key for extension ${agent}, and a site key for the CRM`, () =>
        makeKeys(relay, crm, events),
      );
      return { provider, relay, key };
    };
    const startBrowser = async () => {
      const browser = await (launch ?? (() => launchBrowser(browserName) as Promise<Browser>))();
      cleanup.add(browserName, () => browser.close());
      return browser;
    };
    const [{ provider, relay, key }, browser] = await sideBySide(startServers(), startBrowser());
    const opened: BrowserAtRelay<Browser> = {
      browser,
      relay,
      provider,
      key,
      setUp: (settings) => fillOptions(opened, settings),
      enableSite: (host) => addSite(opened, host),
      openTab: (url) => browser.newTab(url),
      close: () => cleanup.run(),
    };
    return opened;
  };
  try {
    return await open();
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

/** Connects the CRM by a key of its own. @returns the agent's key. */
async function makeKeys(relay: RelayProcess, crm: CrmSite, events: 'hangup' | 'all'): Promise<string> {
  const [siteKey, agentKey] = await sideBySide(
    relay.print('site', 'add', 'crm', '--origin', crm.url, '--from', agent),
    relay.print('key', 'add', '--from', agent, '--client-calls'),
  );
  const rights = ['watch', ...(events === 'all' ? ['hangup' as const] : [])] as const;
  crm.connectRelay({ url: relay.url, siteKey, from: agent, rights });
  return agentKey;
}

const run: RunStep = (_title, work) => work();

/** As `Promise.all`, but it waits for both. So nothing is still being started after a failure. */
async function sideBySide<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return Promise.all([a, b]);
}
