/** The call sheets of the agent's team, which the relay stores. This file does not place calls. */
import browser from 'webextension-polyfill';
import type { ItemKey } from '../../../shared/protocol/sheets.ts';
import { ok, type Result, refuse } from '../../messages/result.ts';
import type { sheetMessages } from '../../messages/sheets.ts';
import type { PageHandlers } from '../message-router.ts';
import { resolveTyped } from '../numbers/resolve-typed.ts';
import { readSettings } from '../settings/settings-store.ts';
import { notifyPages } from '../ui/show-calls.ts';
import {
  deleteClaim,
  deleteSheetAtRelay,
  fetchSheets,
  postClaim,
  postSheet,
  type RelayOutcome,
} from './relay-client.ts';
import { relayRefusal } from './relay-refusal.ts';
import { followingRelay, involvesRelay } from './route.ts';

export const sheetHandlers: Pick<PageHandlers, keyof typeof sheetMessages> = {
  'page.sheets': async () => {
    const { relay } = await atRelay();
    if (!relay) return ok(null);
    const outcome = await fetchSheets(relay);
    // The key has no team.
    if (outcome.kind === 'problem' && outcome.status === 403) return ok(null);
    if (outcome.kind !== 'ok') return relayRefusal(outcome, relay);
    const { sheets } = outcome.value;
    const { sheet: chosen } = await browser.storage.session.get('sheet');
    return ok({ sheets, current: sheets.find(({ id }) => id === chosen)?.id });
  },

  'page.makeSheet': async (sheet) => {
    const { relay } = await atRelay();
    if (!relay) return refuse('notConfigured');
    const outcome = await postSheet(relay, sheet);
    if (outcome.kind !== 'ok') return relayRefusal(outcome, relay);
    notifyPages('sheets');
    return ok(outcome.value);
  },

  'page.chooseSheet': async ({ sheet }) => {
    await browser.storage.session.set({ sheet });
    notifyPages('sheets');
    return ok(null);
  },

  'page.deleteSheet': async ({ sheet }) => {
    const { relay } = await atRelay();
    if (!relay) return refuse('notConfigured');
    const outcome = await deleteSheetAtRelay(relay, sheet);
    // Somebody else has deleted it already.
    if (outcome.kind !== 'ok' && !isGone(outcome)) return relayRefusal(outcome, relay);
    notifyPages('sheets');
    return ok(null);
  },

  'page.claimItem': async ({ sheet }) => {
    const { relay, from } = await atRelay();
    if (!relay) return refuse('notConfigured');
    const outcome = await postClaim(relay, sheet, from);
    if (isGone(outcome)) return refuse('sheetGone');
    if (outcome.kind !== 'ok') return relayRefusal(outcome, relay);
    const { number } = outcome.value.item ?? {};
    const resolved = number === undefined ? undefined : await resolveTyped(number);
    const display = resolved && !('why' in resolved) ? resolved.number.display : number;
    return ok({ ...outcome.value, display });
  },

  'page.releaseItem': releaseItem,

  'page.skipItem': async (item) => {
    const released = await releaseItem(item);
    if (released.ok) notifyPages('item');
    return released;
  },
};

async function releaseItem({ sheet, id }: ItemKey): Promise<Result<null>> {
  const { relay, from } = await atRelay();
  if (!relay) return refuse('notConfigured');
  const outcome = await deleteClaim(relay, sheet, id, from);
  // 404: the claim of this item has ended already.
  return outcome.kind === 'ok' || isGone(outcome) ? ok(null) : relayRefusal(outcome, relay);
}

/** `from`: the agent's extension, if the settings name it. A key that is for one extension does not need it. */
async function atRelay() {
  const { settings } = await readSettings();
  const relay = involvesRelay(settings) ? await followingRelay(settings) : undefined;
  return { relay, from: settings.agent.from || undefined };
}

const isGone = (outcome: RelayOutcome<unknown>): boolean =>
  outcome.kind === 'problem' && outcome.status === 404;
