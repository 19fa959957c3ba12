/** Handles the requests of our own pages. No reply holds a secret. */
import { outcomeOf } from '../../shared/call/outcome.ts';
import { recordingByFileName } from '../../shared/service/recording.ts';
import { ok, type Result, refuse } from '../messages/result.ts';
import type { SettingsView } from '../messages/views.ts';
import { parseSiteRule } from '../parse-site.ts';
import { maxSites, Settings } from '../settings.ts';
import { awaitsOutcome } from './calls/after-call.ts';
import { changeCall, forgetPastCall, forgetPastCalls, getCall, pastCalls } from './calls/call-store.ts';
import { toHistoryEntry } from './calls/call-words.ts';
import { checkRecording } from './calls/check-recording.ts';
import { followOpenCalls, restartFollowing } from './calls/follow-calls.ts';
import { forgetDrafts } from './calls/forget-drafts.ts';
import { hangUp } from './calls/hang-up.ts';
import { placeCall } from './calls/place-call.ts';
import { sheetHandlers } from './calls/sheets.ts';
import { testConnection } from './calls/test-connection.ts';
import { wrapUpHandlers } from './calls/wrap-up.ts';
import type { PageHandlers } from './message-router.ts';
import { forgetReadings } from './numbers/chosen-readings.ts';
import { judgeFound, topLevelDomainOf } from './numbers/find-numbers.ts';
import { findPeople } from './numbers/find-people.ts';
import { knownNumbers } from './numbers/known-numbers.ts';
import { toJudgedNumber } from './numbers/number-views.ts';
import { extensionOnPage, numbersOnPage } from './numbers/numbers-on-page.ts';
import { resolveTyped } from './numbers/resolve-typed.ts';
import { secretState, writeSecret } from './settings/secrets.ts';
import { readSettings, saveSettings, settingsChanged, updateSettings } from './settings/settings-store.ts';
import { hostsToOffer } from './sites/frames-on-page.ts';
import {
  desiredRegistration,
  missingPermission,
  withExcludedNumber,
  withFrames,
  withSite,
} from './sites/site-rules.ts';
import { grantedOrigins, scanTab, syncSites } from './sites/sync-sites.ts';
import { matchesSearch } from './ui/match-history.ts';
import { panelState } from './ui/panel-state.ts';
import { notifyPages } from './ui/show-calls.ts';

const historyPage = 50;

export const pageHandlers: PageHandlers = {
  ...wrapUpHandlers,
  ...sheetHandlers,

  'page.state': async () => ok(await panelState()),

  'page.judge': async ({ input, onPage }) => {
    if (onPage) return ok(await judgeFound(onPage.source, topLevelDomainOf(onPage.host)));
    const resolved = await resolveTyped(input);
    return ok('why' in resolved ? null : toJudgedNumber(resolved, (await readSettings()).settings));
  },

  'page.dial': ({ click, input, onPage, ...choices }) =>
    placeCall({
      id: click,
      source: onPage
        ? { kind: 'page', number: onPage.source, topLevelDomain: topLevelDomainOf(onPage.host) }
        : { kind: 'typed', text: input },
      ...choices,
    }),

  'page.knownNumbers': async ({ displays }) => ok(await knownNumbers(displays)),

  'page.findPeople': ({ typed }) => findPeople(typed),

  'page.hangUp': ({ id }) => hangUp(id),

  'page.history': async ({ search, outcome, lacksOutcome, before }) => {
    const { records, next } = await pastCalls({
      limit: historyPage,
      before,
      matches: (record) =>
        (!outcome || outcomeOf(record.call) === outcome) &&
        (!lacksOutcome || awaitsOutcome(record)) &&
        (!search || matchesSearch(search, record)),
    });
    return ok({ entries: records.map(toHistoryEntry), ...(next === undefined ? {} : { next }) });
  },

  'page.note': async ({ id, note }) => {
    const record = await changeCall(id, (current) => ({ ...current, note }));
    return record ? ok(null) : refuse('internal');
  },

  'page.forgetCall': async ({ id }) => {
    await forgetPastCall(id);
    await forgetDrafts();
    notifyPages('calls');
    void followOpenCalls();
    return ok(null);
  },

  'page.forgetHistory': async () => {
    const kept = await forgetPastCalls();
    await Promise.all([forgetReadings(), forgetDrafts()]);
    notifyPages('calls');
    // Calls whose end was still awaited may be among the deleted calls.
    void followOpenCalls();
    return ok({ kept });
  },

  'page.settings': async () => ok(await settingsView()),

  'page.saveSettings': async ({ settings }) => {
    const wrong = await saveSettings(settings);
    return wrong === undefined ? ok(await settingsView()) : refuse('badMessage', wrong);
  },

  'page.setSecret': async ({ name, value }) => {
    await writeSecret(name, value, (await readSettings()).settings);
    settingsChanged();
    if (name === 'agentKey') void restartFollowing();
    return ok(await settingsView());
  },

  'page.testConnection': async ({ settings, secrets = {} }) => {
    const typed = Settings.safeParse(settings ?? (await readSettings()).settings);
    return typed.success ? ok(await testConnection(typed.data, secrets)) : refuse('badMessage');
  },

  'page.setSite': async ({ host, state }) => {
    const name = parseSiteRule(host);
    if (name === undefined) return refuse('badMessage', host);
    return changeSites((sites) => withSite(sites, name, state));
  },

  'page.setFrames': async (change) => {
    const wrong = change.hosts.find((host) => parseSiteRule(host) !== host);
    if (wrong !== undefined) return refuse('badMessage', wrong);
    return changeSites((sites) => withFrames(sites, change));
  },

  'page.excludeNumber': async ({ isExcluded, ...entry }) => {
    await updateSettings((own) => ({ ...own, sites: withExcludedNumber(own.sites, entry, isExcluded) }));
    return ok(await settingsView());
  },

  'page.framesOnPage': async ({ tabId }) => ok(await hostsToOffer(tabId)),

  'page.scanTab': async ({ tabId }) => ((await scanTab(tabId)) ? ok(null) : refuse('unreadable')),

  'page.numbersOnPage': async ({ tabId }) => ok(await numbersOnPage(tabId)),

  'page.extensionOnPage': async ({ tabId }) => {
    const { settings } = await readSettings();
    return ok(settings.numbers.extensions.length > 0 ? null : await extensionOnPage(tabId));
  },

  'page.checkRecording': async ({ id, by }) => {
    const call = (await getCall(id))?.call;
    const url = by === 'audioFile' && call ? recordingByFileName(call) : call?.recordingUrl;
    return ok(url === undefined ? { result: 'missing' } : await checkRecording(url));
  },
};

/** Changes the lists of sites, if the result is not too long. */
async function changeSites(
  change: (sites: Settings['sites']) => Settings['sites'],
): Promise<Result<SettingsView>> {
  let fits = true;
  await updateSettings((own) => {
    const sites = change(own.sites);
    fits = Math.max(sites.enabled.length, sites.blocked.length) <= maxSites;
    return fits ? { ...own, sites } : own;
  });
  if (!fits) return refuse('tooManySites');
  await syncSites();
  return ok(await settingsView());
}

async function settingsView(): Promise<SettingsView> {
  const { settings, locked, problems } = await readSettings();
  const granted = await grantedOrigins();
  return {
    settings,
    locked,
    managedProblems: problems,
    secrets: {
      agentKey: await secretState('agentKey', settings),
      serviceToken: await secretState('serviceToken', settings),
    },
    missingPermission: missingPermission(settings.sites, granted),
    marksAnySite: desiredRegistration(settings.sites, granted) !== undefined,
  };
}
