/** The demo with the calling service imitated. */
import { demoToken } from '../sandbox/service.ts';
import type { BrowserAtRelay, BrowserAtRelayOptions } from '../testing/browser-at-relay.ts';
import type { ChromiumBrowser } from '../testing/browsers/chromium.ts';
import { freePort } from '../testing/servers/free-port.ts';
import { openWorkstation } from '../testing/workstation.ts';
import { playStory } from './play-story.ts';
import { printCalls } from './print-calls.ts';

/** Where the documents say that they listen, if these are free. */
export const documentedPorts = { service: 3000, relay: 8787 } as const;

export interface DemoOptions
  extends Pick<BrowserAtRelayOptions<ChromiumBrowser>, 'cleanup' | 'runStep' | 'launch'> {
  /** Only the story is played. */
  once: boolean;
}

export interface Demo extends BrowserAtRelay<ChromiumBrowser> {
  readonly crmUrl: string;
  /** What to do now, for the person before it. */
  readonly invitation: string;
  /** Plays the story headless. @throws the step that failed. @param screenshots their folder. */
  play(screenshots: string): Promise<void>;
  /** Prints what happens from now on. */
  follow(): void;
}

export async function openSandboxDemo({ once, ...options }: DemoOptions): Promise<Demo> {
  const workstation = await openWorkstation<ChromiumBrowser>('chromium', {
    ...options,
    sandbox: { port: await freePort(documentedPorts.service), token: demoToken, speed: 1 },
    relayPort: await freePort(documentedPorts.relay),
    // The story is one of the provider's cloud; whoever clicks sees all that a service can report.
    events: once ? 'hangup' : 'all',
  });
  const { browser, relay, sandbox } = workstation;
  const crmUrl = `${sandbox.url}/crm/`;
  return {
    ...workstation,
    crmUrl,
    invitation: 'Click a phone number in the CRM.',
    play: (screenshots) => playStory({ browser, sandbox, crmUrl, relayLog: relay.output, screenshots }),
    follow: () => void printCalls(sandbox),
  };
}
