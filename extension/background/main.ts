/**
 * The entry point of the background. It adds every listener synchronously, in the first turn of the event loop. A
 * browser that starts a stopped background delivers the event only to listeners that exist by then.
 */
import browser from 'webextension-polyfill';
import { chooseLanguage } from '../text.ts';
import { callbackAlarm, notifyDueCallbacks, watchCallbacks } from './calls/callbacks.ts';
import {
  followAlarm,
  followOpenCalls,
  followState,
  onFollowState,
  onWrappedUpElsewhere,
  restartFollowing,
} from './calls/follow-calls.ts';
import { resumeCalls } from './calls/place-call.ts';
import { forgetReachable } from './calls/route.ts';
import { ensureRules, onRulesChanged, refreshRules } from './calls/team-rules.ts';
import { contentHandlers, contentSettings } from './content-handlers.ts';
import { messageRouter } from './message-router.ts';
import { onKnownNumbersChanged } from './numbers/known-numbers.ts';
import { pageHandlers } from './page-handlers.ts';
import { contentSender, isOwnPage } from './senders.ts';
import { chooseCountry, takeTeamCountry } from './settings/choose-country.ts';
import { bindSecrets } from './settings/secrets.ts';
import { onSettingsChanged, readSettings, settingsChanged } from './settings/settings-store.ts';
import { forgetTab, syncSites } from './sites/sync-sites.ts';
import { clearBadge, clearStaleBadge } from './ui/badge.ts';
import { onCommand } from './ui/commands.ts';
import { makeMenus, onMenu } from './ui/menus.ts';
import { wireNotifications } from './ui/notify-agent.ts';
import { wireOmnibox } from './ui/omnibox.ts';
import { openPanel } from './ui/open-panel.ts';
import { forgetTabsOfCalls, notifyPages, replaceTabOfCalls, showCalls } from './ui/show-calls.ts';

const route = messageRouter({
  content: contentHandlers,
  page: pageHandlers,
  isOwnPage,
  contentSender,
  openPanel: ({ id, tab }) => id === browser.runtime.id && tab && void openPanel(tab.windowId),
});
browser.runtime.onMessage.addListener(((message: unknown, sender: browser.Runtime.MessageSender) =>
  route(message, sender)) as browser.Runtime.OnMessageListenerAsync);

showCalls();
watchCallbacks();
wireOmnibox();
wireNotifications();
browser.contextMenus.onClicked.addListener((info, tab) => void onMenu(info, tab));
browser.commands.onCommand.addListener((command, tab) => onCommand(command, tab));
browser.alarms.onAlarm.addListener(({ name }) => {
  if (name === followAlarm) void resumeAfterStart();
  if (name === callbackAlarm) void notifyDueCallbacks();
});
browser.tabs.onRemoved.addListener((tabId) => void forgetTab(tabId));
browser.tabs.onReplaced.addListener((added, removed) => void replaceTabOfCalls(added, removed));
browser.permissions.onAdded.addListener(() => void applyPermissions());
browser.permissions.onRemoved.addListener(() => {
  forgetReachable();
  void applyPermissions();
});
// Chrome reports policies that arrive late; Firefox reads them once, at its start.
browser.storage.managed.onChanged?.addListener(() => settingsChanged());
browser.runtime.onStartup.addListener(() => {
  void forgetTabsOfCalls();
  void syncSites();
});
browser.runtime.onInstalled.addListener(({ reason }) => {
  void makeMenus();
  if (reason === 'install') void chooseCountry().then(openWelcomePage);
});
self.addEventListener('online', () => void restartFollowing());

onSettingsChanged(() => void applySettings());
onRulesChanged(() => {
  notifyPages('settings');
  void sendContentSettings();
  void takeTeamCountry();
});

onKnownNumbersChanged(() => notifyPages('names'));
onFollowState(() => followState() === 'open' && void notifyDueCallbacks());
onWrappedUpElsewhere(() => {
  notifyPages('calls');
  void notifyDueCallbacks();
});

void closeStorageToContent();
void syncSitesAtFirstStart();
void resumeAfterStart().then(notifyDueCallbacks);

/** Runs at every start of the background: sets the language and resumes what the last run left. */
async function resumeAfterStart(): Promise<void> {
  const { settings } = await readSettings();
  chooseLanguage(settings.appearance.language);
  await bindSecrets(settings);
  void clearStaleBadge();
  await resumeCalls();
  await followOpenCalls();
  await ensureRules();
}

/**
 * Chrome (156) does not fire an event when a person turns the extension on again. Its open pages have then lost their
 * scripts. `storage.session` is empty, as after an installation and an update.
 */
async function syncSitesAtFirstStart(): Promise<void> {
  const { hasSyncedSites } = await browser.storage.session.get('hasSyncedSites');
  if (hasSyncedSites) return;
  await browser.storage.session.set({ hasSyncedSites: true });
  await syncSites();
}

async function applySettings(): Promise<void> {
  const { settings } = await readSettings();
  chooseLanguage(settings.appearance.language);
  await bindSecrets(settings);
  notifyPages('settings');
  await Promise.all([makeMenus(), refreshRules(), followOpenCalls(), syncSites().then(sendContentSettings)]);
  await notifyDueCallbacks();
}

async function sendContentSettings(): Promise<void> {
  const message = { type: 'background.settings', settings: await contentSettings() };
  for (const tab of await browser.tabs.query({})) {
    if (tab.id === undefined) continue;
    void browser.tabs.sendMessage(tab.id, message).then(
      // Other numbers may be marked there now.
      () => notifyPages('tab'),
      () => {}, // It has no content script.
    );
  }
}

/**
 * Applies granted and removed permissions. A permission may be granted long after the settings that need it were saved
 * and shown.
 */
async function applyPermissions(): Promise<void> {
  await syncSites();
  notifyPages('settings');
}

async function openWelcomePage(): Promise<void> {
  clearBadge();
  // If an organisation installs or configures us, the first-run page is not needed. Its settings may arrive later.
  // Right after an installation by policy, Chrome does not have managed values yet (156).
  const { installType } = await browser.management.getSelf();
  if (installType === 'admin' || (await readSettings()).locked.length > 0) return;
  await browser.tabs.create({ url: browser.runtime.getURL('extension/pages/welcome/index.html') });
}

/**
 * Closes `storage.*` to content scripts where the browser can (Chrome; Firefox 153 has no `setAccessLevel`). No
 * secret is there.
 */
async function closeStorageToContent(): Promise<void> {
  type Closable = { setAccessLevel?: (level: { accessLevel: 'TRUSTED_CONTEXTS' }) => Promise<void> };
  const { local, sync, managed, session } = browser.storage as unknown as Record<string, Closable>;
  for (const area of [local, sync, managed, session])
    await area?.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' }).catch(() => {});
}
