/** Drives the options page as a person does, by clicks and keys. */
import type { Tab, TestBrowser } from '../browsers/browser.ts';
import { until } from '../until.ts';

/** The agent's extension at the PBX. */
export const agent = '1105';

/** The calling service at which the relay dials. */
export interface CallingService {
  readonly url: string;
  readonly token: string;
}

/** The addresses and the key that are filled in by default. */
interface Surroundings {
  browser: TestBrowser;
  relay: { url: string };
  provider: { url: string; token: string };
  /** The agent's key at the relay. */
  key: string;
}

/** Calls go through a relay: the workstation's, with its key, by default. */
interface RelayMode {
  mode?: 'relay';
  relayUrl?: string;
  key?: string;
}

/** Calls go from the browser to the service itself. */
interface DirectMode {
  mode: 'direct';
  primaryUrl?: string;
  secondaryUrl?: string;
  token?: string;
  method?: 'post' | 'get';
  tokenIn?: string;
  version?: string;
  /** Follows the calls where given. */
  relayUrl?: string;
  /** The deliberate yes to plain http beyond this computer. */
  allowPlaintext?: boolean;
}

export type ExtensionSettings = (RelayMode | DirectMode) & {
  /** How long the agent's phone rings; the service's own default where absent. */
  timeoutSeconds?: number;
};

export async function openOptions({ browser }: Pick<Surroundings, 'browser'>): Promise<Tab> {
  const options = await browser.newTab(`${browser.extensionOrigin}/extension/pages/options/index.html`);
  await until(() => options.count('#save'), 'the options page');
  return options;
}

export async function fillOptions(
  surroundings: Surroundings,
  settings: ExtensionSettings = {},
): Promise<void> {
  const { browser, key, relay, provider } = surroundings;
  const options = await openOptions(surroundings);
  const addresses: (string | undefined)[] = [settings.relayUrl];
  const secrets: [id: string, secret: string][] = [];
  if (settings.mode === 'direct') {
    const primaryUrl = settings.primaryUrl ?? provider.url;
    addresses.push(primaryUrl, settings.secondaryUrl);
    secrets.push(['service-token', settings.token ?? provider.token]);
    if (settings.relayUrl !== undefined) secrets.push(['agent-key', key]);
    await options.click('#mode-direct');
    await options.fill('#primary-url', primaryUrl);
    await options.fill('#secondary-url', settings.secondaryUrl ?? '');
    await options.fill('#relay-url', settings.relayUrl ?? '');
    // The question is shown only if an address needs it, or if its answer was yes.
    const isAllowed = `document.querySelector('#allow-plaintext')?.checked ?? false`;
    if ((await options.evaluate(isAllowed)) !== (settings.allowPlaintext ?? false))
      await options.click('#allow-plaintext');
    await options.click('#direct-advanced > summary');
    await options.select('#method', settings.method ?? 'post');
    await options.select('#token-in', settings.tokenIn ?? 'header');
    await options.select('#version', settings.version ?? 'v1');
  } else {
    const relayUrl = settings.relayUrl ?? relay.url;
    addresses.push(relayUrl);
    secrets.push(['agent-key', settings.key ?? key]);
    await options.click('#mode-relay');
    await options.fill('#relay-url', relayUrl);
  }
  await options.fill('#agent-from', agent);
  if (settings.timeoutSeconds !== undefined)
    await options.fill('#agent-timeout', String(settings.timeoutSeconds));
  // Tests call the same few numbers many times.
  await options.fill('#ask-again', '0');
  await options.select('#country', 'BR');
  // Saving requests permission for the host of every address.
  const hosts = addresses.flatMap((address) => (address === undefined ? [] : [new URL(address).hostname]));
  for (const host of new Set(hosts)) await browser.allowHost(host);
  for (const [id, secret] of secrets) await options.fill(`#${id}`, secret);
  await options.click('#save');
  await until(() => options.count('#saved'), 'the word that settings are saved');
  // A secret is never shown again: its field is empty once it is saved.
  for (const [id] of secrets)
    await until(
      () => options.evaluate<boolean>(`document.querySelector('#${id}').value === ''`),
      `the saved ${id}`,
    );
  await options.close();
}

export async function addSite(surroundings: Pick<Surroundings, 'browser'>, host: string): Promise<void> {
  const options = await openOptions(surroundings);
  await surroundings.browser.allowHost(host);
  await options.fill('#site-host', host);
  await options.click('#add-site');
  await until(
    () =>
      options.evaluate<boolean>(`[...document.querySelectorAll('#sites [data-state=enabled]')]
        .some((site) => site.textContent.includes(${JSON.stringify(host)}))`),
    `${host} among the sites`,
  );
  await options.close();
}
