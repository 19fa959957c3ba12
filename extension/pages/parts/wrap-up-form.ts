/** The wrap-up form as values: the typed text, the relay's wrap-up, and the effect of a key or a reply. */

import { isFinished } from '../../../shared/call/call.ts';
import { lastPlaced } from '../../../shared/call/outcome.ts';
import { hourMs, minuteMs, secondMs } from '../../../shared/durations.ts';
import type { WrapUp } from '../../../shared/record/call-parts.ts';
import type { WrapUpOutcome, WrapUpRequest } from '../../../shared/record/wrap-up.ts';
import type { Refusal, Result } from '../../messages/result.ts';
import type { HistoryEntry } from '../../messages/views.ts';
import type { WrapUpReply } from '../../messages/wrap-up.ts';

/** Empty texts for no value; `callBackAt` is ISO 8601 UTC. */
export interface WrapUpDraft {
  outcome: string;
  note: string;
  callBackAt: string;
}

export interface WrapUpForm {
  draft: WrapUpDraft;
  /** The relay's wrap-up when the draft was begun; undefined without one. */
  seen: WrapUp | undefined;
  /** What somebody else saved meanwhile. Nothing is sent until the agent has chosen between the two. */
  conflict?: WrapUp | undefined;
  isSaving: boolean;
  /** Whether the agent saved this form and has changed nothing since. False for a form that was only opened. */
  isSaved: boolean;
  error?: Refusal | undefined;
}

export const digitOutcomes = 8;
/** How long after now a call is to be repeated, until the agent chooses another time. */
const callBackAfterMs = hourMs;
const fiveMinutesMs = 5 * minuteMs;
/** How long after its end a call's wrap-up is offered. Later, the history has it. */
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

/** The changes to send; undefined if nothing was changed. */
export function changesOf({ draft, seen }: WrapUpForm): WrapUpRequest | undefined {
  const before = wrapUpDraftOf(seen);
  const changed = fields.filter((field) => draft[field] !== before[field]);
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map((field) => [field, draft[field] === '' ? null : draft[field]]));
}

/** Uses the relay's wrap-up from an event. What the agent has typed stays. It is compared when it is saved. */
export function withWrapUp(form: WrapUpForm, wrapUp: WrapUp | undefined): WrapUpForm {
  if ((wrapUp?.revision ?? 0) <= (form.seen?.revision ?? 0)) return form;
  const isOwn = isSameDraft(form.draft, wrapUpDraftOf(wrapUp));
  if (!isOwn && (isChanged(form) || form.isSaving)) return form;
  return { ...form, draft: wrapUpDraftOf(wrapUp), seen: wrapUp };
}

/** @param sent the draft that was sent. What was typed since then stays. */
export function withReply(form: WrapUpForm, sent: WrapUpDraft, reply: Result<WrapUpReply>): WrapUpForm {
  if (!reply.ok) return { ...form, isSaving: false, error: reply.error };
  const { call, isOutdated } = reply.value;
  // A repeated request finds what its first try has already saved.
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

/** Keeps the agent's own text, to be saved over the other one. */
export const withMine = ({ conflict, ...form }: WrapUpForm): WrapUpForm => ({ ...form, seen: conflict });
export const withTheirs = ({ conflict }: WrapUpForm): WrapUpForm => openForm(conflict);

/** Sets the outcome. If it asks for a time, keeps the time or proposes one; otherwise removes the time. */
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

/** The outcome that a digit key chooses, without Ctrl, Alt or Meta and outside every field. */
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

/** ISO 8601; empty if the field is empty or incomplete. */
export function fromLocalTime(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/**
 * The last call, if the form offers its wrap-up: during the call and for some time afterwards. A later click that
 * placed no call does not hide it. Clicks are refused, for example, while this call rings at the agent.
 */
export function lastWrapUp(recent: readonly HistoryEntry[], now: number): HistoryEntry | undefined {
  const last = lastPlaced(recent);
  if (!last?.hasWrapUp) return undefined;
  const { createdAt, totalSeconds = 0 } = last.call;
  const isRecent = now - Date.parse(createdAt) < totalSeconds * secondMs + offeredForMs;
  return isRecent || !isFinished(last.call) ? last : undefined;
}

/** One hour after that time, or one hour from now if that time has passed. */
export const laterThan = (callBackAt: string, now: number): string =>
  new Date(Math.max(Date.parse(callBackAt), now) + callBackAfterMs).toISOString();
