/**
 * The one entry for tests, benches and checks outside the project: a browser with the built extension, the
 * sandbox as calling service and CRM, and a relay. All are real, on free ports, apart from other workstations.
 *
 *     const workstation = await openWorkstation('firefox');
 *     await workstation.setUp();                                  // on the options page: calls go through the relay
 *     await workstation.enableSite('127.0.0.1');
 *     const tab = await workstation.openTab(`${workstation.sandbox.url}/crm/`);
 *     …
 *     await workstation.close();
 */
import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox/service.ts';
import { type BrowserAtRelay, type BrowserAtRelayOptions, openBrowserAtRelay } from './browser-at-relay.ts';
import type { TestBrowser } from './browsers/browser.ts';
import type { BrowserName } from './browsers/launch.ts';

export interface Workstation<Browser extends TestBrowser = TestBrowser> extends BrowserAtRelay<Browser> {
  readonly sandbox: Sandbox;
}

interface WorkstationOptions<Browser extends TestBrowser> extends BrowserAtRelayOptions<Browser> {
  sandbox?: SandboxOptions;
}

/** @throws Error naming what is missing (a browser) or failed (a build); nothing is left running then. */
export async function openWorkstation<Browser extends TestBrowser = TestBrowser>(
  browserName: BrowserName,
  options: WorkstationOptions<Browser> = {},
): Promise<Workstation<Browser>> {
  let sandbox!: Sandbox;
  const opened = await openBrowserAtRelay(browserName, options, async ({ cleanup, runStep }) => {
    sandbox = await runStep(
      'the sandbox: calling service and CRM',
      () => startSandbox({ port: 0, speed: 4, ...options.sandbox }),
      ({ url }) => url,
    );
    cleanup.add('the sandbox', () => sandbox.close());
    return { provider: sandbox, crm: sandbox };
  });
  return { ...opened, sandbox };
}
