/** Call sheets (/v1/sheets): lists of people that a team calls one after another. Times are ISO 8601 UTC. */
import { z } from 'zod/mini';
import { CallId } from '../call/call.ts';
import { RecordKey } from '../record/template.ts';
import { CallerCode } from '../service/request.ts';

/** The most items of a request, and so of a page's list. Longer sheets are imported by command. */
const maxItemsPerRequest = 200;
export const maxItemName = 200;

/** POST /v1/calls `item`: the item of a sheet that the call is for. Its caller has claimed it. */
export const ItemKey = z.strictObject({
  sheet: CallId,
  id: z.int().check(z.minimum(1, 'expected the id of an item')),
});
export type ItemKey = z.infer<typeof ItemKey>;

const NewSheetItem = z.strictObject({
  /** The number in any form that has its country, or that can be read with the relay's country. */
  number: z.string().check(z.maxLength(64, 'expected at most 64 characters')),
  name: z.optional(z.string().check(z.maxLength(maxItemName, `expected at most ${maxItemName} characters`))),
  record: z.optional(RecordKey),
});
export type NewSheetItem = z.infer<typeof NewSheetItem>;

const SheetName = z
  .string()
  .check(z.minLength(1, 'expected a name'), z.maxLength(100, 'expected at most 100 characters'));

/** POST /v1/sheets. */
export const SheetRequest = z.strictObject({
  /** Chosen by the client. So a request that is repeated after a late reply does not make a second sheet. */
  id: z.optional(CallId),
  name: SheetName,
  items: z
    .array(NewSheetItem)
    .check(
      z.minLength(1, 'expected at least one item'),
      z.maxLength(maxItemsPerRequest, `expected at most ${maxItemsPerRequest} items`),
    ),
});
export type SheetRequest = z.infer<typeof SheetRequest>;

/**
 * `open`: to be called when it is due. `called`: the number may have rung, and its agent has not reported on it yet.
 * `done`: its agent has reported. `duplicate`: the same number was called from another sheet of the team.
 */
export const itemStates = ['open', 'called', 'done', 'doNotCall', 'duplicate'] as const;
export type ItemState = (typeof itemStates)[number];

export const SheetItem = z.object({
  id: z.int(),
  /** `+5548999998888` */
  number: z.string(),
  name: z.optional(z.string()),
  record: z.optional(RecordKey),
  state: z.enum(itemStates),
  /** The item cannot be claimed before this time. */
  due: z.string(),
  /** Calls from this sheet. */
  attempts: z.int(),
  /** The caller who has it, or who called it last. */
  agent: z.optional(z.string()),
  /** When the claim of the item ends. */
  leasedUntil: z.optional(z.string()),
  /** The outcome of its last call's wrap-up. */
  outcome: z.optional(z.string()),
});
export type SheetItem = z.infer<typeof SheetItem>;

const count = z.int();
/** A sheet and how many of its items are in which state. */
export const Sheet = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  /** Whether the key that asks may delete it. */
  mayDelete: z.optional(z.boolean()),
  total: count,
  counts: z.object({ open: count, called: count, done: count, doNotCall: count, duplicate: count }),
});
export type Sheet = z.infer<typeof Sheet>;

/** GET /v1/sheets: the sheets of the team, newest first. */
export const SheetPage = z.object({ sheets: z.array(Sheet) });

/** 201 to POST /v1/sheets. `unreadable`: without a number; `repeated`: a number that the sheet has already. */
export const MadeSheet = z.object({ sheet: Sheet, unreadable: count, repeated: count });
export type MadeSheet = z.infer<typeof MadeSheet>;

export const defaultClaimSeconds = 300;
export const maxClaimSeconds = 900;
/** POST /v1/sheets/{id}/claim. A repeated request extends the claim on the same item. */
export const ClaimRequest = z.strictObject({
  from: z.optional(CallerCode),
  /** How long the claim lasts. */
  seconds: z.optional(
    z
      .int()
      .check(
        z.minimum(1, 'expected at least 1 second'),
        z.maximum(maxClaimSeconds, `expected at most ${maxClaimSeconds} seconds`),
      ),
  ),
});

/** If `item` is absent, no item is due. `next` is when an item will be due. It is absent if no item is left. */
export const ClaimReply = z.object({
  sheet: Sheet,
  item: z.optional(SheetItem),
  next: z.optional(z.string()),
});
export type ClaimReply = z.infer<typeof ClaimReply>;

/** DELETE /v1/sheets/{id}/items/{item}/claim: gives the item back, behind the other items that are due. */
export const ReleaseRequest = z.strictObject({ from: z.optional(CallerCode) });
