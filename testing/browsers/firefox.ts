/** Real Firefox with the extension installed, driven over WebDriver BiDi. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { publisher } from '../../extension/publisher.ts';
import { type Child, startChild } from '../child.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { type Bidi, connectBidi } from './bidi.ts';
import type { TestBrowser } from './browser.ts';
import { acceptedLanguages, type BrowserOptions } from './chromium.ts';
import { evaluateInChrome, firefoxTab } from './firefox-tab.ts';
import { trackOpen } from './open-browsers.ts';

const { geckoId } = publisher;

/** This makes the address of the extension's pages known. */
const extensionUuid = '2d1a3a6c-5f0e-4a3b-9c1d-7e8f90a1b2c3';

export async function launchFirefox(options: BrowserOptions): Promise<TestBrowser & { bidi: Bidi }> {
  const profile = await temporaryFolder('firefox');
  const firefox = await startFirefox(options, profile.path);
  const bidi = await connectBidi(`${await debuggingAddress(firefox)}/session`);
  await bidi.send('session.new', { capabilities: {} });
  await bidi.send('session.subscribe', { events: ['log.entryAdded'] });
  if (options.extension !== undefined)
    await bidi.send('webExtension.install', { extensionData: { type: 'path', path: options.extension } });
  const logOf = collectErrors(bidi);
  const inChrome = <T>(expression: string) => evaluateInChrome<T>(bidi, expression);

  if (options.extension === undefined)
    await until(
      () =>
        inChrome<boolean>(
          `WebExtensionPolicy.getByID(${JSON.stringify(geckoId)})?.extension.backgroundState === 'running'`,
        ),
      'the extension that the policy installs',
      120_000,
    );
  /** Sets a preference, and waits until each visible tab follows it. That takes a moment. */
  const setPreference = async (name: string, value: number, question: string, matches: boolean) => {
    await inChrome(`Services.prefs.setIntPref(${JSON.stringify(name)}, ${value})`);
    const answer = `document.hidden || matchMedia(${JSON.stringify(question)}).matches === ${matches}`;
    for (const tab of await openTabs())
      await until(() => tab.evaluate<boolean>(answer), `${question} to be ${matches}`);
  };
  const openTabs = async () => {
    const { contexts } = await bidi.send<{ contexts: { context: string }[] }>('browsingContext.getTree', {
      maxDepth: 0,
    });
    return contexts.map(({ context }) => firefoxTab(bidi, context, logOf(context)));
  };

  return trackOpen<TestBrowser & { bidi: Bidi }>({
    name: 'firefox',
    extensionOrigin: `moz-extension://${extensionUuid}`,
    bidi,
    async newTab(url) {
      const { context } = await bidi.send<{ context: string }>('browsingContext.create', { type: 'tab' });
      await bidi.send('browsingContext.setViewport', { context, viewport: { width: 1280, height: 800 } });
      const tab = firefoxTab(bidi, context, logOf(context));
      if (url !== undefined) await tab.goto(url);
      return tab;
    },
    openTabs,
    allowHost: async () => {}, // A preference of the profile grants every request.
    stopBackground: async () =>
      void (await inChrome(
        `WebExtensionPolicy.getByID(${JSON.stringify(geckoId)}).extension.terminateBackground()`,
      )),
    reloadExtension: async () =>
      void (await inChrome(
        `AddonManager.getAddonByID(${JSON.stringify(geckoId)}).then((addon) => addon.reload()).then(() => null)`,
      )),
    turnOffAndOn: async () =>
      void (await inChrome(
        `AddonManager.getAddonByID(${JSON.stringify(geckoId)})
          .then((addon) => addon.disable().then(() => addon.enable())).then(() => null)`,
      )),
    setColorScheme: (scheme) =>
      setPreference(
        'layout.css.prefers-color-scheme.content-override',
        scheme === 'dark' ? 0 : 1,
        '(prefers-color-scheme: dark)',
        scheme === 'dark',
      ),
    // 2 shows the person's colours in every page. Firefox matches `forced-colors` then.
    setForcedColors: (wanted) =>
      setPreference('browser.display.document_color_use', wanted ? 2 : 0, '(forced-colors: active)', wanted),
    async close() {
      await bidi.send('browser.close').catch(() => {});
      const timer = setTimeout(() => firefox.stop(), 10_000);
      await firefox.exited.finally(() => clearTimeout(timer));
      bidi.close();
      await profile.remove();
    },
  });
}

function debuggingAddress(firefox: Child): Promise<string> {
  const failed = firefox.exited.then((code) => {
    throw new Error(`Firefox exited with ${code}:\n${firefox.output()}`);
  });
  const address = () => /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(firefox.stderr())?.[1];
  return Promise.race([failed, until(address, "Firefox's debugging address", 120_000)]);
}

/** Starts Firefox with a fresh profile in this folder. */
async function startFirefox(options: BrowserOptions, profile: string): Promise<Child> {
  const preferences: Record<string, string | number | boolean> = {
    'browser.shell.checkDefaultBrowser': false,
    'browser.startup.page': 0,
    'browser.startup.homepage_override.mstone': 'ignore',
    'datareporting.policy.dataSubmissionEnabled': false,
    'toolkit.telemetry.enabled': false,
    'app.normandy.enabled': false,
    'app.update.enabled': false,
    'browser.safebrowsing.malware.enabled': false,
    'browser.safebrowsing.phishing.enabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'services.settings.server': 'data:,',
    'intl.accept_languages': acceptedLanguages(options.language).join(', '),
    'intl.locale.requested': options.language,
    'extensions.webextensions.uuids': JSON.stringify({ [geckoId]: extensionUuid }),
    // permissions.request resolves without the doorhanger, because a driver cannot click it in headless Firefox.
    // The request still needs a real click in the page.
    'extensions.webextOptionalPermissionPrompts': false,
    'network.dns.localDomains': options.localNames.join(','),
    'remote.active-protocols': 1,
    // A policy installs the unsigned package. An ESR accepts that with this preference.
    ...(options.extension === undefined ? { 'xpinstall.signatures.required': false } : {}),
  };
  await writeFile(
    path.join(profile, 'user.js'),
    Object.entries(preferences)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`)
      .join('\n'),
  );
  return startChild(
    [
      options.executable,
      '--headless',
      '--no-remote',
      '--profile',
      profile,
      '--remote-debugging-port=0',
      '--remote-allow-system-access',
      '--width=1280',
      '--height=800',
      'about:blank',
    ],
    { environment: { MOZ_HEADLESS_WIDTH: '1280', MOZ_HEADLESS_HEIGHT: '900' } },
  );
}

/** @returns a function that returns a tab's console errors. Later errors are added to the same list. */
function collectErrors(bidi: Bidi): (context: string) => string[] {
  const logs = new Map<string, string[]>();
  const logOf = (context: string) => {
    const log = logs.get(context) ?? [];
    logs.set(context, log);
    return log;
  };
  bidi.onEvent((method, params) => {
    if (method !== 'log.entryAdded' || params.level !== 'error') return;
    const source = params.source as { context?: string } | undefined;
    if (source?.context !== undefined) logOf(source.context).push(String(params.text));
  });
  return logOf;
}
