import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Call } from '../../../shared/call/call.ts';
import { sendRequest } from './send-request.ts';
import { keepDraft, useDraftReader } from './unsaved-draft.ts';
import {
  changesOf,
  isChanged,
  openForm,
  type WrapUpForm,
  withDraft,
  withReply,
  withWrapUp,
} from './wrap-up-form.ts';

/** `formId`: the form that it was typed into. Panels and call pages may show one call at a time. */
type KeptDraft = Pick<WrapUpForm, 'draft' | 'seen'> & { formId: string };

/**
 * The form of one call. Saves follow one another, so that no save of the agent's own makes the next one outdated.
 * What is not saved when the page closes is there when it opens again, and at once on a page that shows the same call.
 */
export function useWrapUp({ id, wrapUp }: Call) {
  const [form, setForm] = useState(() => openForm(wrapUp));
  const latest = useRef(form);
  const saving = useRef(Promise.resolve());
  const [formId] = useState(() => crypto.randomUUID());
  // The draft of an earlier page stays until it was read.
  const isRestored = useRef(false);
  /** What is shown was typed on another page, which may still save it or give it up. */
  const isTakenUp = useRef(false);

  const show = useCallback((shown: WrapUpForm) => {
    latest.current = shown;
    setForm(shown);
  }, []);
  const update = useCallback(
    (change: (form: WrapUpForm) => WrapUpForm) => {
      const before = latest.current;
      const after = change(before);
      show(after);
      const { draft, seen } = after;
      if (draft === before.draft && seen === before.seen) return after;
      isTakenUp.current = false;
      if (isChanged(after)) keepDraft(id, { draft, seen, formId } satisfies KeptDraft);
      else if (isRestored.current) keepDraft(id, undefined);
      return after;
    },
    [id, formId, show],
  );
  const takeUp = useCallback(
    (kept: KeptDraft | undefined) => {
      const isFirst = !isRestored.current;
      isRestored.current = true;
      const { current } = latest;
      if (kept?.formId === formId || current.conflict || (isFirst && isChanged(current))) return;
      if (!kept) {
        if (isTakenUp.current) show(openForm(current.seen));
        isTakenUp.current = false;
        return;
      }
      // With the revision that it was begun on: what was saved elsewhere since then is a conflict, unless it is this
      // draft, whose save ended after the page had closed. Chromium's storage leaves out a `seen` that is undefined.
      const { draft, seen } = kept;
      const shown = withWrapUp({ ...withDraft(current, draft), seen }, current.seen);
      // Not kept once more: the other page may be ahead by then.
      show(shown);
      isTakenUp.current = isChanged(shown);
      if (!isChanged(shown)) keepDraft(id, undefined);
    },
    [id, formId, show],
  );
  useDraftReader(id, takeUp);
  useEffect(() => void update((current) => withWrapUp(current, wrapUp)), [wrapUp, update]);

  const save = useCallback(() => {
    const send = async () => {
      const { draft, seen, conflict } = latest.current;
      const changes = changesOf(latest.current);
      if (!changes || conflict) return;
      update((current) => ({ ...current, isSaving: true, error: undefined }));
      const reply = await sendRequest('page.wrapUp', {
        callId: id,
        revision: seen?.revision ?? 0,
        ...changes,
      });
      update((current) => withReply(current, draft, reply));
    };
    saving.current = saving.current.then(send);
  }, [id, update]);
  return { form, update, save };
}
