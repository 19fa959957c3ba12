import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Refusal, SettingsView } from '../../messages.ts';
import { sendRequest } from '../parts/send-request.ts';
import { useReply } from '../parts/use-reply.ts';
import {
  type Changes,
  type Draft,
  problemsOf,
  sameSettings,
  withChanges,
  withoutSaved,
  withValue,
} from './draft.ts';
import type { Form } from './form.ts';

export type Saving = { step: 'idle' | 'saving' | 'saved' } | { step: 'failed'; error: Refusal };

export interface SettingsForm extends Form {
  saving: Saving;
  save(): Promise<boolean>;
  discard(): void;
}

/** The draft over the settings in force: what was not touched follows changes made elsewhere. */
export function useSettingsForm(initial: SettingsView): SettingsForm {
  const [answer, replaceView] = useReply('page.settings', {}, ['settings']);
  const latest = useRef(initial);
  if (answer.state === 'ready') latest.current = answer.value;
  const view = latest.current;
  const [changes, setChanges] = useState<Changes>(new Map());
  const [saving, setSaving] = useState<Saving>({ step: 'idle' });

  const base = view.settings as unknown as Draft;
  const draft = useMemo(
    () => [...changes].reduce<Draft>((result, [path, value]) => withValue(result, path, value), base),
    [base, changes],
  );
  const problems = useMemo(() => problemsOf(draft), [draft]);
  const unsaved = useMemo(() => !sameSettings(base, draft), [base, draft]);

  useEffect(() => {
    if (!unsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [unsaved]);

  async function save(): Promise<boolean> {
    if (problems.size > 0) return false;
    setSaving({ step: 'saving' });
    const reply = await sendRequest('page.saveSettings', { settings: draft });
    if (!reply.ok) {
      setSaving({ step: 'failed', error: reply.error });
      return false;
    }
    replaceView(reply.value);
    // What was typed while it was saved is still to be saved.
    setChanges((now) => withoutSaved(now, changes));
    setSaving((now) => (now.step === 'saving' ? { step: 'saved' } : now));
    return true;
  }

  return {
    view,
    draft,
    problems,
    unsaved,
    saving,
    save,
    change: (values) => {
      setChanges((before) => withChanges(before, values));
      setSaving({ step: 'idle' });
    },
    discard: () => {
      setChanges(new Map());
      setSaving({ step: 'idle' });
    },
    replaceView,
  };
}
