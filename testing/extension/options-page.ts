/** Setting the extension up as a person does: on its options page, by clicks and keys. */

import type { Workstation } from '../../e2e/fixtures.ts';
import { agent, serviceToken } from '../../e2e/fixtures.ts';
import type { Tab } from '../browsers/browser.ts';
import { until } from '../until.ts';

export async function openOptions(workstation: Workstation): Promise<Tab> {
  const options = await workstation.browser.newTab(
    `${workstation.browser.extensionOrigin}/extension/pages/options/index.html`,
  );
  await until(() => options.count('#save'), 'the options page');
  return options;
}

/** Calls go through the workstation's relay; numbers are marked on the CRM. */
export async function setUpRelay(
  workstation: Workstation,
  settings: { relayUrl?: string; key?: string } = {},
): Promise<void> {
  const options = await openOptions(workstation);
  const relayUrl = settings.relayUrl ?? workstation.relay.url;
  await options.click('#mode-relay');
  await options.fill('#relay-url', relayUrl);
  await options.fill('#agent-from', agent);
  await chooseCountry(options, 'BR');
  await save(options, workstation, relayUrl);
  await saveSecret(options, 'agent-key', settings.key ?? workstation.key);
  await options.close();
}

/** Calls go from the browser to the service itself. */
export async function setUpDirect(
  workstation: Workstation,
  settings: {
    primaryUrl?: string;
    token?: string;
    method?: 'post' | 'get';
    tokenIn?: string;
    version?: string;
    secondaryUrl?: string;
    /** Follows the call where given. */
    relayUrl?: string;
    /** The deliberate yes to plain http beyond this computer. */
    allowPlaintext?: boolean;
  } = {},
): Promise<void> {
  const options = await openOptions(workstation);
  const primaryUrl = settings.primaryUrl ?? workstation.sandbox.url;
  await options.click('#mode-direct');
  await options.fill('#primary-url', primaryUrl);
  await options.fill('#secondary-url', settings.secondaryUrl ?? '');
  await options.fill('#relay-url', settings.relayUrl ?? '');
  // The question stands there only while an address raises it, or its answer was yes.
  const saidYes = `document.querySelector('#allow-plaintext')?.checked ?? false`;
  if ((await options.evaluate(saidYes)) !== (settings.allowPlaintext ?? false))
    await options.click('#allow-plaintext');
  await options.fill('#agent-from', agent);
  await options.select('#method', settings.method ?? 'post');
  await options.select('#token-in', settings.tokenIn ?? 'header');
  await options.select('#version', settings.version ?? 'v1');
  await chooseCountry(options, 'BR');
  for (const address of [settings.secondaryUrl, settings.relayUrl])
    if (address !== undefined) await workstation.browser.allowHost(new URL(address).hostname);
  await save(options, workstation, primaryUrl);
  await saveSecret(options, 'service-token', settings.token ?? serviceToken);
  if (settings.relayUrl !== undefined) await saveSecret(options, 'agent-key', workstation.key);
  await options.close();
}

/** Marks numbers on this host from now on. */
export async function enableSite(workstation: Workstation, host: string): Promise<void> {
  const options = await openOptions(workstation);
  await workstation.browser.allowHost(host);
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

/** A secret is written, never shown again: the field is empty once it is kept. */
async function saveSecret(options: Tab, id: string, secret: string): Promise<void> {
  await options.fill(`#${id}`, secret);
  await options.click(`#save-${id}`);
  await until(
    () =>
      options.evaluate<boolean>(`document.querySelector('#${id}').value === '' &&
      document.querySelector('#${id}-state').dataset.state === 'saved'`),
    `the kept ${id}`,
  );
}

async function chooseCountry(options: Tab, country: string): Promise<void> {
  await options.select('#country', country);
}

/** The address that calls will go to needs a host permission, which the save asks for. */
async function save(options: Tab, workstation: Workstation, address: string): Promise<void> {
  await workstation.browser.allowHost(new URL(address).hostname);
  await options.click('#save');
  await until(() => options.count('#saved'), 'the word that settings are saved');
}
