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

/** `formId`: the form in which the draft was typed. Panels and call pages may show the same call at one time. */
type KeptDraft = Pick<WrapUpForm, 'draft' | 'seen'> & { formId: string };

/**
 * The form of one call. Saves are sent one after the other, so that the agent's own save never makes the next one
 * outdated. Unsaved text is still there when the page is opened again. Other pages with the same call show it at once.
 */
export function useWrapUp({ id, wrapUp }: Call) {
  const [form, setForm] = useState(() => openForm(wrapUp));
  const latest = useRef(form);
  const saving = useRef(Promise.resolve());
  const [formId] = useState(() => crypto.randomUUID());
  // Until an earlier page's draft was read, it is not removed.
  const isRestored = useRef(false);
  /** Whether another page's draft is shown, which that page may still save or give up. */
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
      // Uses the revision on which the draft was begun. What was saved elsewhere since then is a conflict, unless it
      // equals this draft. In that case a save ended after its page had closed. Chromium's storage leaves out a `seen`
      // that is undefined.
      const { draft, seen } = kept;
      const shown = withWrapUp({ ...withDraft(current, draft), seen }, current.seen);
      // The draft is not stored again: the other page may already have a newer one.
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
