import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Call } from '../../../shared/call/call.ts';
import { sendRequest } from './send-request.ts';
import { changesOf, openForm, type WrapUpForm, withReply, withWrapUp } from './wrap-up-form.ts';

/** The form of one call. Saves follow one another, so that no save of the agent's own makes the next one outdated. */
export function useWrapUp({ id, wrapUp }: Call) {
  const [form, setForm] = useState(() => openForm(wrapUp));
  const latest = useRef(form);
  const saving = useRef(Promise.resolve());

  const update = useCallback((change: (form: WrapUpForm) => WrapUpForm) => {
    latest.current = change(latest.current);
    setForm(latest.current);
    return latest.current;
  }, []);
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
