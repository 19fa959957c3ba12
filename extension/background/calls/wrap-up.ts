/** Outcome, note, record and callbacks of calls, which the relay stores. */
import type { Call } from '../../../shared/call/call.ts';
import { ok, refuse } from '../../messages/result.ts';
import type { Callback, wrapUpMessages } from '../../messages/wrap-up.ts';
import type { PageHandlers } from '../message-router.ts';
import { askAgain, numberFromDisplay } from '../numbers/known-numbers.ts';
import { readSettings } from '../settings/settings-store.ts';
import { changeCall, getCall, withRelayCall } from './call-store.ts';
import { isNotLogged } from './call-words.ts';
import { myDay } from './my-day.ts';
import {
  fetchCall,
  fetchCallbacks,
  fetchRecordCandidates,
  fetchRules,
  patchWrapUp,
  postDoNotCall,
  postRecord,
} from './relay-client.ts';
import { relayRefusal } from './relay-refusal.ts';
import { currentRelay, followingRelay } from './route.ts';
import { withOfferedOutcomes } from './rules-with-policy.ts';
import { keepRules, teamRules } from './team-rules.ts';

export const wrapUpHandlers: Pick<PageHandlers, keyof typeof wrapUpMessages> = {
  'page.wrapUp': async ({ callId, revision, ...changes }) => {
    const relay = await currentRelay();
    if (!relay) return refuse('notConfigured');
    const outcome = await patchWrapUp(relay, callId, revision, changes);
    const isOutdated = outcome.kind === 'problem' && outcome.status === 412;
    const call = isOutdated ? outcome.problem?.call : outcome.kind === 'ok' ? outcome.value : undefined;
    if (!call) return relayRefusal(outcome, relay);
    await keep(call);
    // An outcome may have put the number on the list of those who asked not to be called.
    if (changes.outcome) askAgain();
    return ok({ call, isOutdated });
  },

  'page.doNotCall': async ({ display }) => {
    const relay = await currentRelay();
    if (!relay) return refuse('notConfigured');
    const outcome = await postDoNotCall(relay, { number: numberFromDisplay(display) || display });
    if (outcome.kind !== 'ok') return relayRefusal(outcome, relay);
    askAgain();
    return ok(null);
  },

  'page.recordCandidates': async ({ callId }) => {
    const relay = await currentRelay();
    if (!relay) return ok([]);
    const outcome = await fetchRecordCandidates(relay, callId);
    return outcome.kind === 'ok' ? ok(outcome.value.candidates) : relayRefusal(outcome, relay);
  },

  'page.chooseRecord': async ({ callId, record }) => {
    const relay = await currentRelay();
    if (!relay) return refuse('notConfigured');
    // The relay's event may remove the record here before the reply arrives. So the record is read first.
    const before = (await getCall(callId))?.call.record;
    const outcome = await postRecord(relay, callId, record ?? { none: true });
    if (outcome.kind !== 'ok') return relayRefusal(outcome, relay);
    await changeCall(callId, (current) => ({
      ...withRelayCall(current, outcome.value),
      removedRecord: record ? undefined : (before ?? current.removedRecord ?? null),
    }));
    return ok(outcome.value);
  },

  'page.readCall': async ({ callId }) => {
    const relay = await currentRelay();
    const outcome = relay && (await fetchCall(relay, callId));
    if (outcome?.kind === 'ok') await keep(outcome.value);
    return ok(null);
  },

  'page.callbacks': async () => {
    const relay = await currentRelay();
    if (!relay) return ok(null);
    const outcome = await fetchCallbacks(relay);
    if (outcome.kind !== 'ok') return relayRefusal(outcome, relay);
    return ok(await Promise.all(outcome.value.calls.map(toCallback)));
  },

  'page.myDay': () => myDay(),

  'page.rules': async () => {
    const { settings } = await readSettings();
    const relay = await followingRelay(settings);
    if (!relay) return ok(null);
    const known = await teamRules();
    if (known) return ok(withOfferedOutcomes(known, settings.records));
    const outcome = await fetchRules(relay);
    if (outcome.kind !== 'ok') return relayRefusal(outcome, relay);
    await keepRules(relay.url, outcome.value);
    return ok(withOfferedOutcomes(outcome.value, settings.records));
  },
};

/** Stores the relay's Call if this browser placed it. Calls of other browsers are ignored. */
async function keep(call: Call): Promise<void> {
  await changeCall(call.id, (current) => withRelayCall(current, call));
}

async function toCallback(call: Call): Promise<Callback> {
  const own = await getCall(call.id);
  const name = call.name ?? own?.name;
  if (!own) return { call, name, display: call.to, isOwn: false };
  const { display, extension } = own;
  return { call, name, display, extension, isOwn: true, isNotLogged: isNotLogged({ ...own, call }) };
}
