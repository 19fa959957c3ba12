/** The messages of our own pages about call sheets. The relay keeps the sheets. */
import { z } from 'zod/mini';
import { CallId } from '../../shared/call/call.ts';
import type { ClaimReply, MadeSheet, Sheet } from '../../shared/protocol/sheets.ts';
import { ItemKey, SheetRequest } from '../../shared/protocol/sheets.ts';
import { replyOf } from './fields.ts';

export interface Sheets {
  sheets: Sheet[];
  /** The id of the sheet that the agent works on, in this browser's session. */
  current?: string | undefined;
}

/** `display`: the item's number, formatted like all numbers that we show. */
export type ShownItem = ClaimReply & { display?: string | undefined };

export const sheetMessages = {
  /** The team's sheets; null without a relay, or where the agent's key has no team. */
  'page.sheets': { request: z.object({}), reply: replyOf<Sheets | null>() },
  'page.makeSheet': { request: z.object({ ...SheetRequest.shape }), reply: replyOf<MadeSheet>() },
  /** Chooses a sheet to work on; null: none. */
  'page.chooseSheet': { request: z.object({ sheet: z.nullable(CallId) }), reply: replyOf<null>() },
  /** Deletes the sheet for the whole team. */
  'page.deleteSheet': { request: z.object({ sheet: CallId }), reply: replyOf<null>() },
  /** Claims the next item, or extends the claim of the present item. It places no call. */
  'page.claimItem': { request: z.object({ sheet: CallId }), reply: replyOf<ShownItem>() },
  /** Gives the item back to the sheet, before the agent leaves the sheet. */
  'page.releaseItem': { request: z.object({ ...ItemKey.shape }), reply: replyOf<null>() },
  /** Gives the item back to the sheet. Each panel then claims the next item: the windows show the same person. */
  'page.skipItem': { request: z.object({ ...ItemKey.shape }), reply: replyOf<null>() },
} as const;
