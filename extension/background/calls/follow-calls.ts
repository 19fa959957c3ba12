/**
 * Follows all open calls by one event stream of the relay, and lets go when none is open.
 *
 * Both browsers stop an idle background after 30 s, whatever streams are open; a `storage.session.set` counts as activity
 * in both, `storage.local.set` in Chrome only (measured, Chromium 156, Firefox 153). So the cursor is written per event and a
 * heartbeat per comment, and an alarm reopens what was stopped all the same. Nothing is lost meanwhile: the relay replays.
 */
import browser from 'webextension-polyfill';
import type { Call } from '../../../shared/call/call.ts';
import { followEvents } from '../../../shared/protocol/stream.ts';
import type { FollowState } from '../../messages.ts';
import { readSecret } from '../settings/secrets.ts';
import { readSettings } from '../settings/settings-store.ts';
import { callOfRelay, changeCall, openCalls, withFact, withRelayCall } from './call-store.ts';
import { callAtRelay, type Relay } from './relay-client.ts';
import { followingRelay } from './route.ts';

export const followAlarm = 'follow';
/** Half a minute is the shortest period that Chrome takes. */
const alarmMinutes = 0.5;
const heartbeatEvery = 5000;
const mostStrangers = 200;

let stream: { stop: AbortController; relay: string } | undefined;
let state: FollowState = 'idle';
let deadline: ReturnType<typeof setTimeout> | undefined;
const stateListeners = new Set<() => void>();
/** Calls told of before the relay's answer to the click said that they are ours. By the relay's id. */
const strangers = new Map<string, Call>();
/** One reconcile at a time; one more when something changed meanwhile. */
let running: Promise<void> | undefined;
let again = false;

export function followState(): FollowState {
  return state;
}

export function onFollowState(listener: () => void): void {
  stateListeners.add(listener);
}

/** Makes stream, alarm and deadline what the open calls need. Idempotent; call it whenever something changed. */
export function follow(): Promise<void> {
  if (running) {
    again = true;
    return running;
  }
  running = (async () => {
    do {
      again = false;
      await reconcile();
    } while (again);
  })().finally(() => {
    running = undefined;
  });
  return running;
}

async function reconcile(): Promise<void> {
  await expire();
  await claimStrangers();
  const open = await openCalls();
  await setAlarm(open.length > 0);
  planDeadline(Math.min(...open.map((record) => record.followUntil)));
  const { settings } = await readSettings();
  const followed = open.some((record) => record.followed === 'relay');
  const relay = followed ? await followingRelay(settings) : undefined;
  if (!relay) {
    stopStream();
    if (open.length === 0) strangers.clear();
    return;
  }
  if (stream?.relay === relay.url) return;
  stopStream();
  startStream(relay);
}

/** Closes the stream and connects anew: the network changed, or another key was saved. */
export async function followAnew(): Promise<void> {
  stopStream();
  await follow();
}

function stopStream(): void {
  stream?.stop.abort();
  stream = undefined;
  setState('idle');
}

function startStream(relay: Relay): void {
  const stop = new AbortController();
  stream = { stop, relay: relay.url };
  setState('connecting');
  let lastBeat = 0;
  void (async () => {
    const cursor = await readCursor(relay.url);
    // Without a cursor the relay tells of calls that are open, not of those that ended while nobody listened.
    let askEach = cursor === undefined;
    await followEvents({
      relay: relay.url,
      cursor,
      signal: stop.signal,
      authorization: async () => {
        const key = await readSecret('agentKey');
        if (key === undefined) throw new Error('no agent key');
        return key;
      },
      onCall: async (call, position) => {
        await take(call);
        await browser.storage.session.set({ cursor: { relay: relay.url, position } });
      },
      onReset: () => {
        askEach = true;
        void askEachOpen(relay);
      },
      onState: (now) => {
        if (now.name === 'open') {
          setState('open');
          if (askEach) void askEachOpen(relay);
          askEach = false;
        } else if (now.name === 'waiting') {
          if (now.why === 'unauthorized') setState('wrongKey');
          else if (now.why !== 'ended') setState('offline');
        }
      },
      onAlive: () => {
        const at = Date.now();
        if (at - lastBeat < heartbeatEvery) return;
        lastBeat = at;
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

async function take(call: Call): Promise<void> {
  const record = await callOfRelay(call.id);
  if (!record) {
    if (strangers.size >= mostStrangers) strangers.delete(strangers.keys().next().value!);
    strangers.set(call.id, call);
    return;
  }
  const after = await changeCall(record.id, (current) => withRelayCall(current, call));
  if (after?.open === 0) void follow();
}

async function claimStrangers(): Promise<void> {
  for (const [relayId, call] of strangers) {
    const record = await callOfRelay(relayId);
    if (!record) continue;
    strangers.delete(relayId);
    await changeCall(record.id, (current) => withRelayCall(current, call));
  }
}

async function askEachOpen(relay: Relay): Promise<void> {
  for (const record of await openCalls()) {
    if (record.relayId === undefined) continue;
    const outcome = await callAtRelay(relay, record.relayId);
    if (outcome.kind === 'ok') await take(outcome.value);
    // The relay has forgotten it, or never knew: nobody will tell of its end.
    else if (outcome.kind === 'problem' && outcome.status === 404) await giveUp(record.id);
  }
  void follow();
}

/** A call whose time is over: asked for once more, then its end is unknown. */
async function expire(): Promise<void> {
  const now = Date.now();
  for (const record of await openCalls()) {
    if (record.followUntil > now || record.phase !== 'placed') continue;
    const relay =
      record.followed === 'relay' ? await followingRelay((await readSettings()).settings) : undefined;
    if (relay && record.relayId !== undefined) {
      const outcome = await callAtRelay(relay, record.relayId);
      if (outcome.kind === 'ok')
        await changeCall(record.id, (current) => withRelayCall(current, outcome.value));
    }
    await giveUp(record.id);
  }
}

async function giveUp(id: string): Promise<void> {
  await changeCall(id, (current) =>
    current.open === 0
      ? current
      : withFact(current, { kind: 'noNotification', at: new Date().toISOString() }),
  );
}

async function setAlarm(wanted: boolean): Promise<void> {
  if (!wanted) {
    await browser.alarms.clear(followAlarm);
    return;
  }
  if (!(await browser.alarms.get(followAlarm))) await keepComingBack();
}

/** Sets the alarm that starts a killed background again. */
export async function keepComingBack(): Promise<void> {
  await browser.alarms.create(followAlarm, { periodInMinutes: alarmMinutes });
}

/** The alarm is a coarse clock; while the background runs anyway a timer is exact. */
function planDeadline(at: number): void {
  clearTimeout(deadline);
  const wait = at - Date.now();
  if (wait > 0 && wait < 60_000) deadline = setTimeout(() => void follow(), wait + 50);
}

function setState(next: FollowState): void {
  if (next === state) return;
  state = next;
  for (const listener of stateListeners) listener();
}
