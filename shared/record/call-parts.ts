/**
 * The parts of a Call about its record. They have their own file, because the widget needs only these parts of this
 * folder.
 */
import { z } from 'zod/mini';

/** A record with its address, which the relay makes from its own template. */
export const LinkedRecord = z.object({
  system: z.string(),
  kind: z.string(),
  id: z.string(),
  url: z.string(),
});
export type LinkedRecord = z.infer<typeof LinkedRecord>;

type Identified = Pick<LinkedRecord, 'system' | 'kind' | 'id'>;

export const isSameRecord = (a: Identified | undefined, b: Identified | undefined): boolean =>
  a?.system === b?.system && a?.kind === b?.kind && a?.id === b?.id;

/** One schema for all optional texts keeps the widget small. */
const Text = z.optional(z.string());

export const WrapUp = z.object({
  outcome: Text,
  note: Text,
  /** ISO 8601 UTC. */
  callBackAt: Text,
  /** The colleague who calls back; absent: the agent who called. */
  callBackBy: Text,
  /** Grows by one with each change; `If-Match` names it. */
  revision: z.int(),
});
export type WrapUp = z.infer<typeof WrapUp>;

export type EntryState = 'waiting' | 'sending' | 'unsure' | 'done' | 'needsAgent' | 'dead' | 'none';

/** Whether the relay will go on with an entry of this state by itself. */
export const isPendingEntry = ({ state }: { state: EntryState }): boolean =>
  state === 'waiting' || state === 'sending' || state === 'unsure';

/** How far the CRM's entry of a call is. `reason` says why an agent or the operator has to act. */
export const EntryStatus = z.object({
  /** A state that only a newer relay knows is passed on; readers show it as `waiting`. */
  state: z.string() as unknown as z.ZodMiniType<EntryState, string>,
  system: z.string(),
  url: Text,
  reason: Text,
});
export type EntryStatus = z.infer<typeof EntryStatus>;
