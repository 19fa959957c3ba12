/**
 * Follows all open calls through one event stream of the relay. It also follows calls whose wrap-up, callback or log
 * entry is unfinished. Without such calls the stream is closed.
 *
 * Both browsers stop an idle background after 30 s, also while a stream is open. `storage.session.set` counts as
 * activity in both (measured in Chromium 156 and Firefox 153). So each call event stores the cursor. Anything received
 * stores a heartbeat, at most once in 5 s. An alarm restarts a background that was stopped all the same. The relay then
 * replays the missed events.
 */
import browser from 'webextension-polyfill';
import { coalesce } from '../../../shared/async/coalesce.ts';
import { type Call, isFinished } from '../../../shared/call/call.ts';
import { dayMs } from '../../../shared/durations.ts';
import { followEvents } from '../../../shared/protocol/stream.ts';
import type { FollowState } from '../../messages/views.ts';
import { applyNamesEvent } from '../numbers/known-numbers.ts';
import type { CallRecord } from './call-record.ts';
import { changeCall, openCalls, unfinishedCalls, withFact, withRelayCall } from './call-store.ts';
import { checkKey, fetchCall, isUnanswered, type Relay } from './relay-client.ts';
import { currentRelay } from './route.ts';
import { keepRules, refreshRules } from './team-rules.ts';

export const followAlarm = 'follow';
/** Half a minute is the shortest period that Chrome takes. */
const alarmMinutes = 0.5;
const heartbeatMs = 5000;
/** How long a relay that does not answer is asked about a call whose time is over. */
const maxUnansweredMs = dayMs;

let stream: { stop: AbortController; relay: Relay } | undefined;
let state: FollowState = 'idle';
let deadline: ReturnType<typeof setTimeout> | undefined;
const stateListeners = new Set<() => void>();
const elsewhereListeners = new Set<() => void>();

export function followState(): FollowState {
  return state;
}

export function onFollowState(listener: () => void): void {
  stateListeners.add(listener);
}

/** Called when the wrap-up changed of a call from another browser. A callback may have been added or removed. */
export function onWrappedUpElsewhere(listener: () => void): void {
  elsewhereListeners.add(listener);
}

/**
 * Starts or stops the stream, the alarm and the deadline timer, as the open calls need. Idempotent: call it after each
 * change.
 */
export const followOpenCalls = coalesce(async () => {
  await expireCalls();
  let open = await openCalls();
  const unfinished = await unfinishedCalls();
  if (open.length + unfinished.length === 0) {
    await browser.alarms.clear(followAlarm);
    // A click may have set this alarm in the meantime, just before it was cleared.
    open = await openCalls();
  }
  const followed = [...open, ...unfinished];
  if (followed.length > 0 && !(await browser.alarms.get(followAlarm))) await ensureAlarm();
  planDeadline(Math.min(...open.map((record) => record.followUntil)));
  const isFollowed = followed.some((record) => record.followed === 'relay');
  const relay = isFollowed ? await currentRelay() : undefined;
  // A policy may have replaced the key. The stream of the earlier key may belong to another agent, or be refused.
  if (relay && stream?.relay.url === relay.url && stream.relay.key === relay.key) return;
  stopStream();
  if (relay) startStream(relay);
});

/** Closes the stream and reconnects: the network changed, or a key was saved. */
export async function restartFollowing(): Promise<void> {
  stopStream();
  await followOpenCalls();
}

function stopStream(): void {
  stream?.stop.abort();
  stream = undefined;
  setState('idle');
}

function startStream(relay: Relay): void {
  const stop = new AbortController();
  stream = { stop, relay };
  setState('connecting');
  let heartbeatAt = 0;
  void (async () => {
    const cursor = await readCursor(relay.url);
    // Without a cursor the relay sends only calls that are open now. Calls that ended while the stream was closed must
    // be polled.
    let mustPoll = cursor === undefined;
    await followEvents({
      relay: relay.url,
      cursor,
      signal: stop.signal,
      authorization: async () => {
        const now = await currentRelay();
        if (now?.url !== relay.url) throw new Error('no agent key for this relay');
        return now.key;
      },
      onCall: async (call, position) => {
        await applyRelayCall(call);
        await browser.storage.session.set({ cursor: { relay: relay.url, position } });
      },
      onOther: (event, data) => {
        if (event === 'names') applyNamesEvent(data);
        if (event === 'rules') return keepRules(relay.url, data);
      },
      onReset: () => {
        mustPoll = true;
        void pollOpenCalls(relay);
      },
      onState: (now) => {
        if (now.name === 'open') {
          setState('open');
          void refreshRules();
          if (mustPoll) void pollOpenCalls(relay);
          mustPoll = false;
        } else if (now.name === 'waiting') {
          if (now.why === 'unauthorized') {
            setState('wrongKey');
            // The relay's refusal may ask this browser to delete its notes (`removeNotes`).
            void checkKey(relay);
          } else if (now.why !== 'ended') setState('offline');
        }
      },
      onAlive: () => {
        const at = Date.now();
        if (at - heartbeatAt < heartbeatMs) return;
        heartbeatAt = at;
        void browser.storage.session.set({ heartbeat: at });
      },
    });
  })();
}

async function readCursor(relay: string): Promise<string | undefined> {
  const { cursor } = (await browser.storage.session.get('cursor')) as {
    cursor?: { relay: string; position: string };
  };
  return cursor?.relay === relay ? cursor.position : undefined;
}

/**
 * Only calls that this browser placed are stored. Other browsers may use the same key, or a colleague hands a call
 * over. If such a call has a wrap-up, `elsewhereListeners` are called.
 */
async function applyRelayCall(call: Call): Promise<void> {
  const after = await changeCall(call.id, (current) => withRelayCall(current, call));
  if (!after && call.wrapUp) for (const listener of elsewhereListeners) listener();
  if (after && after.open !== 1) void followOpenCalls();
}

async function pollOpenCalls(relay: Relay): Promise<void> {
  for (const { id, followed, open, relayRevision } of [
    ...(await openCalls()),
    ...(await unfinishedCalls()),
  ]) {
    if (followed !== 'relay') continue;
    // This includes a call whose request is not answered yet. It may have ended before the stream was open.
    const outcome = await fetchCall(relay, id);
    if (outcome.kind === 'ok') await applyRelayCall(outcome.value);
    if (outcome.kind !== 'problem' || outcome.status !== 404 || relayRevision === undefined) continue;
    // The relay had the call and has deleted it.
    if (open === 1) await giveUp(id);
    else await changeCall(id, ({ relayRevision: _, ...rest }) => rest as CallRecord);
  }
  void followOpenCalls();
}

/**
 * Stops following each call whose time is over. A relay that knows the call is asked until it answers. Without an end
 * in its answer, the call's end is unknown.
 */
async function expireCalls(): Promise<void> {
  const now = Date.now();
  for (const { id, followUntil, phase, followed, relayRevision } of await openCalls()) {
    if (followUntil > now || phase !== 'placed') continue;
    const relay = followed === 'relay' && relayRevision !== undefined ? await currentRelay() : undefined;
    const outcome = relay && (await fetchCall(relay, id));
    // When a computer wakes up, its network may not be there yet.
    if (outcome && isUnanswered(outcome) && now < followUntil + maxUnansweredMs) continue;
    if (outcome?.kind === 'ok') await changeCall(id, (current) => withRelayCall(current, outcome.value));
    await giveUp(id);
  }
}

async function giveUp(id: string): Promise<void> {
  await changeCall(id, (record) => {
    if (record.open === 0) return record;
    const current = { ...record, report: undefined };
    // The relay may never have had this call. The call keeps its outcome "may have rung", but is not open any more.
    if (isFinished(current.call) && current.relayRevision === undefined) return current;
    return withFact(current, { kind: 'noNotification', at: new Date().toISOString() });
  });
}

/** Sets the alarm that starts a stopped background again. */
export async function ensureAlarm(): Promise<void> {
  await browser.alarms.create(followAlarm, { periodInMinutes: alarmMinutes });
}

/** The alarm runs only every half minute. While the background runs, a timer is more exact. */
function planDeadline(at: number): void {
  clearTimeout(deadline);
  const wait = at - Date.now();
  if (wait > 0 && wait < 60_000) deadline = setTimeout(() => void followOpenCalls(), wait + 50);
}

function setState(next: FollowState): void {
  if (next === state) return;
  state = next;
  for (const listener of stateListeners) listener();
}
