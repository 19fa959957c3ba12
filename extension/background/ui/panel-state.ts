/** The state that popup, side panel and sidebar show. */
import browser from 'webextension-polyfill';
import { isFinished } from '../../../shared/call/call.ts';
import { lastPlaced } from '../../../shared/call/outcome.ts';
import { dayMs } from '../../../shared/durations.ts';
import type { PanelState } from '../../messages/views.ts';
import { recordLabel } from '../../record-label.ts';
import { awaitsOutcome, needsAgent } from '../calls/after-call.ts';
import type { CallRecord } from '../calls/call-record.ts';
import { pastCalls, recordsSince } from '../calls/call-store.ts';
import { toHistoryEntry } from '../calls/call-words.ts';
import { followState } from '../calls/follow-calls.ts';
import { chooseRoute } from '../calls/route.ts';
import { recordAtAddress } from '../calls/team-rules.ts';
import { readSettings } from '../settings/settings-store.ts';
import { canBeTurnedOn, siteState } from '../sites/site-rules.ts';
import { grantedOrigins, isScanRunning } from '../sites/sync-sites.ts';

const recentCalls = 10;
const maxToChoose = 20;
/** How long a call is still shown as the live call after its end was learned. */
const outcomeShownMs = 10_000;

export async function panelState(): Promise<PanelState> {
  const { settings } = await readSettings();
  const weekAgo = new Date(Date.now() - 7 * dayMs).toISOString();
  const [route, { records }, ofWeek, tab] = await Promise.all([
    chooseRoute(settings),
    pastCalls({ limit: recentCalls }),
    recordsSince(weekAgo),
    activeTab(),
  ]);
  const midnight = startOfToday();
  const newest = records[0];
  const from = settings.agent.from ?? (newest?.call.from || undefined);
  const live = liveCall(records);
  return {
    ...(route.ok
      ? followState() === 'wrongKey' && { problem: 'wrongKey' }
      : { problem: route.error.code, problemDetail: route.error.detail }),
    from,
    live: live ? toHistoryEntry(live) : null,
    recent: records.map(toHistoryEntry),
    lostToday: ofWeek.filter((each) => each.createdAt >= midnight && each.call.reason === 'callerNoAnswer')
      .length,
    withoutOutcome: ofWeek.filter(awaitsOutcome).length,
    recordsToChoose: ofWeek.filter(needsAgent).slice(-maxToChoose).reverse().map(toHistoryEntry),
    follow: followState(),
    tab,
  };
}

/**
 * The last placed call while it goes on. A later click that did not place a call does not hide it. Otherwise the newest
 * click, if it has just ended.
 */
function liveCall(records: readonly CallRecord[]): CallRecord | undefined {
  const placed = lastPlaced(records);
  if (placed && !isFinished(placed.call)) return placed;
  return records[0] && isNow(records[0].outcomeAt) ? records[0] : undefined;
}

const startOfToday = () => new Date(new Date().setHours(0, 0, 0, 0)).toISOString();

function isNow(at: string | undefined): boolean {
  return at !== undefined && Date.now() - Date.parse(at) < outcomeShownMs;
}

async function activeTab(): Promise<PanelState['tab']> {
  const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
  if (tab?.id === undefined || !tab.url || !/^https?:/.test(tab.url)) return undefined;
  const host = new URL(tab.url).hostname;
  const { sites } = (await readSettings()).settings;
  // A site that the browser does not let us run on is off, whatever the settings say.
  const site = canBeTurnedOn(sites, await grantedOrigins(), host) ? 'default' : siteState(sites, host);
  const marking = site === 'enabled' || (await isScanRunning({ id: tab.id, url: tab.url }));
  const record = await recordAtAddress(tab.url);
  const shown = record && { record, label: recordLabel(record) };
  return { id: tab.id, host, site, marking, shown };
}
