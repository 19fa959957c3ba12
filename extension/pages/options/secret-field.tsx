import { useState } from 'preact/hooks';
import type { Refusal, SettingsView } from '../../messages.ts';
import { type TextKey, text } from '../../text.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { sendRequest } from '../parts/send-request.ts';
import { FieldNotes, helpFor } from './fields.tsx';
import { useForm } from './settings-form.ts';

interface Props {
  id: string;
  name: keyof SettingsView['secrets'];
  label: TextKey;
}

/** Replaces or removes a secret; no message reads one back (Law 3). Saved at once, not with the form. */
export function SecretField({ id, name, label }: Props) {
  const { view, replaceView } = useForm();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<Refusal>();
  const [done, setDone] = useState<'saved' | 'removed'>();
  const state = view.secrets[name];

  async function write(value: string | null) {
    const reply = await sendRequest('page.setSecret', { name, value });
    setError(reply.ok ? undefined : reply.error);
    if (!reply.ok) return;
    setTyped('');
    setDone(value === null ? 'removed' : 'saved');
    replaceView(reply.value);
  }

  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== '') void write(typed.trim());
      }}
    >
      <label for={id}>{text(label)}</label>
      <div class="row">
        <input
          id={id}
          class="grow"
          type="password"
          autocomplete="new-password"
          spellcheck={false}
          dir="ltr"
          value={typed}
          placeholder={state === 'none' ? '' : '••••••••'}
          disabled={state === 'managed'}
          aria-describedby={`${id}-notes ${id}-state`}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <button type="submit" id={`save-${id}`} disabled={typed.trim() === ''}>
          {text(state === 'none' ? 'options_secretSave' : 'options_secretReplace')}
        </button>
        {(state === 'saved' || state === 'otherAddress') && (
          <button type="button" id={`remove-${id}`} onClick={() => void write(null)}>
            {text('options_remove')}
          </button>
        )}
      </div>
      <p id={`${id}-state`} class="secret-state" role="status" data-state={state}>
        {state === 'saved' && (
          <>
            <Icon name="lock" />
            {text(done === 'saved' ? 'options_secretJustSaved' : 'options_secretSaved')}
          </>
        )}
        {state === 'otherAddress' && text('options_secretOtherAddress')}
        {state === 'none' && text(done === 'removed' ? 'options_secretRemoved' : 'options_secretNone')}
      </p>
      {error && <ErrorNotice error={error} />}
      <FieldNotes id={id} help={helpFor(label)} locked={state === 'managed'} />
    </form>
  );
}
