/** The wrap-up form as values: what the agent has typed, what the relay has, and what follows from a key or a reply. */

import { isFinished } from '../../../shared/call/call.ts';
import { lastPlaced } from '../../../shared/call/outcome.ts';
import { hourMs, minuteMs, secondMs } from '../../../shared/durations.ts';
import type { WrapUp } from '../../../shared/record/call-parts.ts';
import type { WrapUpOutcome, WrapUpRequest } from '../../../shared/record/wrap-up.ts';
import type { Refusal, Result } from '../../messages/result.ts';
import type { HistoryEntry } from '../../messages/views.ts';
import type { WrapUpReply } from '../../messages/wrap-up.ts';

/** Empty for none; `callBackAt` is ISO 8601 UTC. */
export interface WrapUpDraft {
  outcome: string;
  note: string;
  callBackAt: string;
}

export interface WrapUpForm {
  draft: WrapUpDraft;
  /** What the draft was begun on; undefined for none. */
  seen: WrapUp | undefined;
  /** What somebody else saved meanwhile: nothing is sent until the agent has chosen. */
  conflict?: WrapUp | undefined;
  isSaving: boolean;
  /** Whether the last save was of this form. */
  isSaved: boolean;
  error?: Refusal | undefined;
}

export const digitOutcomes = 8;
/** The delay of a call to be repeated for which the agent has not chosen a time yet. */
const callBackAfterMs = hourMs;
const fiveMinutesMs = 5 * minuteMs;
/** Since the end of a call. Later, the history has it. */
const offeredForMs = hourMs;

export const wrapUpDraftOf = (wrapUp: WrapUp | undefined): WrapUpDraft => ({
  outcome: wrapUp?.outcome ?? '',
  note: wrapUp?.note ?? '',
  callBackAt: wrapUp?.callBackAt ?? '',
});

export const openForm = (wrapUp: WrapUp | undefined): WrapUpForm => ({
  draft: wrapUpDraftOf(wrapUp),
  seen: wrapUp,
  isSaving: false,
  isSaved: false,
});

const fields = ['outcome', 'note', 'callBackAt'] as const;
const isSameDraft = (a: WrapUpDraft, b: WrapUpDraft) => fields.every((field) => a[field] === b[field]);

export const isChanged = ({ draft, seen }: Pick<WrapUpForm, 'draft' | 'seen'>): boolean =>
  !isSameDraft(draft, wrapUpDraftOf(seen));

/** What to send; undefined where nothing changed. */
export function changesOf({ draft, seen }: WrapUpForm): WrapUpRequest | undefined {
  const before = wrapUpDraftOf(seen);
  const changed = fields.filter((field) => draft[field] !== before[field]);
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map((field) => [field, draft[field] === '' ? null : draft[field]]));
}

/** The relay's wrap-up, as an event brought it. What the agent has typed stays, to be compared when it is saved. */
export function withWrapUp(form: WrapUpForm, wrapUp: WrapUp | undefined): WrapUpForm {
  if ((wrapUp?.revision ?? 0) <= (form.seen?.revision ?? 0)) return form;
  const isOwn = isSameDraft(form.draft, wrapUpDraftOf(wrapUp));
  if (!isOwn && (isChanged(form) || form.isSaving)) return form;
  return { ...form, draft: wrapUpDraftOf(wrapUp), seen: wrapUp };
}

/** @param sent the draft that was sent: what was typed since then stays. */
export function withReply(form: WrapUpForm, sent: WrapUpDraft, reply: Result<WrapUpReply>): WrapUpForm {
  if (!reply.ok) return { ...form, isSaving: false, error: reply.error };
  const { call, isOutdated } = reply.value;
  // A request that was repeated finds what its first try has saved.
  if (isOutdated && !isSameDraft(wrapUpDraftOf(call.wrapUp), sent))
    return { ...form, isSaving: false, conflict: call.wrapUp };
  const typedSince = !isSameDraft(form.draft, sent);
  return {
    draft: typedSince ? form.draft : wrapUpDraftOf(call.wrapUp),
    seen: call.wrapUp,
    isSaving: false,
    isSaved: !typedSince,
  };
}

export const withDraft = (form: WrapUpForm, change: Partial<WrapUpDraft>): WrapUpForm => ({
  ...form,
  draft: { ...form.draft, ...change },
  isSaved: false,
  error: undefined,
});

/** The agent's own text, to be saved over the other one. */
export const withMine = ({ conflict, ...form }: WrapUpForm): WrapUpForm => ({ ...form, seen: conflict });
export const withTheirs = ({ conflict }: WrapUpForm): WrapUpForm => openForm(conflict);

/** Proposes a time where the outcome asks for one, and forgets that of another outcome. */
export function withOutcome(form: WrapUpForm, outcome: WrapUpOutcome, now: number): WrapUpForm {
  const proposed = Math.ceil((now + callBackAfterMs) / fiveMinutesMs) * fiveMinutesMs;
  const callBackAt = outcome.asksForTime ? form.draft.callBackAt || new Date(proposed).toISOString() : '';
  return withDraft(form, { outcome: outcome.code, callBackAt });
}

export const lacksNote = (draft: WrapUpDraft, outcomes: readonly WrapUpOutcome[]): boolean =>
  draft.note.trim() === '' && outcomes.some(({ code, needsNote }) => code === draft.outcome && needsNote);

/** Languages without a label of their own get the English one. */
export function outcomeLabel({ label }: WrapUpOutcome, languageTag: string): string {
  const language = languageTag.replace('-', '_');
  return label[language as keyof typeof label] ?? label.en;
}

/** The outcome that a digit chooses, pressed alone and outside every field. */
export function outcomeOfKey(
  event: KeyboardEvent,
  outcomes: readonly WrapUpOutcome[],
): WrapUpOutcome | undefined {
  const { key, target, repeat, ctrlKey, altKey, metaKey, defaultPrevented } = event;
  if (!/^[1-8]$/.test(key) || repeat || ctrlKey || altKey || metaKey || defaultPrevented) return undefined;
  const isField = target instanceof Element && target.closest('input, textarea, select, audio') !== null;
  return isField ? undefined : outcomes[Number(key) - 1];
}

export const isPlainTab = ({
  key,
  shiftKey,
  ctrlKey,
  altKey,
  metaKey,
  defaultPrevented,
}: KeyboardEvent): boolean =>
  key === 'Tab' && !shiftKey && !ctrlKey && !altKey && !metaKey && !defaultPrevented;

/** The value of a `datetime-local` field: local time without a zone. */
export function toLocalTime(iso: string): string {
  if (iso === '') return '';
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);
}

/** Empty where the field is empty or incomplete. */
export function fromLocalTime(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/**
 * The last call, where the form offers its wrap-up: during the call and for some time afterwards. A click that was
 * refused does not hide it: it is refused until this call has its outcome.
 */
export function lastWrapUp(recent: readonly HistoryEntry[], now: number): HistoryEntry | undefined {
  const last = lastPlaced(recent);
  if (!last?.hasWrapUp) return undefined;
  const { createdAt, totalSeconds = 0 } = last.call;
  const isRecent = now - Date.parse(createdAt) < totalSeconds * secondMs + offeredForMs;
  return isRecent || !isFinished(last.call) ? last : undefined;
}

/** An hour later than that time, or than now where that time has passed. */
export const laterThan = (callBackAt: string, now: number): string =>
  new Date(Math.max(Date.parse(callBackAt), now) + callBackAfterMs).toISOString();
