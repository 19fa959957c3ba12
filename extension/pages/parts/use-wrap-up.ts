import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Call } from '../../../shared/call/call.ts';
import { sendRequest } from './send-request.ts';
import { keepDraft, readDraft } from './unsaved-draft.ts';
import { changesOf, isChanged, openForm, type WrapUpForm, withReply, withWrapUp } from './wrap-up-form.ts';

/**
 * The form of one call. Saves follow one another, so that no save of the agent's own makes the next one outdated.
 * What is not saved when the page closes is there when it opens again.
 */
export function useWrapUp({ id, wrapUp }: Call) {
  const [form, setForm] = useState(() => openForm(wrapUp));
  const latest = useRef(form);
  const saving = useRef(Promise.resolve());
  // The draft of an earlier page stays until it was read.
  const isRestored = useRef(false);

  const update = useCallback(
    (change: (form: WrapUpForm) => WrapUpForm) => {
      const before = latest.current;
      const after = change(before);
      latest.current = after;
      setForm(after);
      const { draft, seen } = after;
      const isOther = draft !== before.draft || seen !== before.seen;
      if (isChanged(after) && isOther) keepDraft(id, { draft, seen });
      else if (isOther && isRestored.current) keepDraft(id, undefined);
      return after;
    },
    [id],
  );
  useEffect(() => {
    void readDraft<Pick<WrapUpForm, 'draft' | 'seen'>>(id).then((kept) => {
      isRestored.current = true;
      if (!kept) return;
      // With the revision that it was begun on: what was saved elsewhere since then is a conflict, unless it is this
      // draft, whose save ended after the page had closed. Chromium's storage leaves out a `seen` that is undefined.
      const { draft, seen } = kept;
      update((current) =>
        isChanged(current) ? current : withWrapUp({ ...current, draft, seen }, current.seen),
      );
    });
  }, [id, update]);
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
