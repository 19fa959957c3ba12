import type { SecretName } from '../../messages/pages.ts';
import { type TextKey, text } from '../../text.ts';
import { FieldNotes } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { plainText } from '../parts/plain-text.ts';
import { helpFor } from './fields.tsx';
import { useForm } from './settings-form.ts';

interface Props {
  id: string;
  name: SecretName;
  label: TextKey;
}

/** Replaces or removes a secret with the next Save; no message reads one back (Law 3). */
export function SecretField({ id, name, label }: Props) {
  const { view, secrets, changeSecret } = useForm();
  const stored = view.secrets[name];
  const typed = secrets[name];
  return (
    <div class="field">
      <label for={id}>{text(label)}</label>
      <div class="row">
        <input
          {...plainText}
          id={id}
          class="grow"
          type="password"
          autocomplete="new-password"
          value={typed ?? ''}
          placeholder={stored === 'none' || typed === null ? '' : '••••••••'}
          disabled={stored === 'managed'}
          aria-describedby={`${id}-notes ${id}-state`}
          onInput={({ currentTarget }) => changeSecret(name, currentTarget.value.trim() || undefined)}
        />
        {(stored === 'saved' || stored === 'otherAddress') && (
          <button
            type="button"
            id={`remove-${id}`}
            onClick={() => changeSecret(name, typed === null ? undefined : null)}
          >
            {text(typed === null ? 'options_keep' : 'options_remove')}
          </button>
        )}
      </div>
      <p id={`${id}-state`} class="secret-state" role="status" data-state={stored}>
        {typed === null && text('options_secretRemoved')}
        {typed === undefined && stored === 'saved' && (
          <>
            <Icon name="lock" />
            {text('options_secretSaved')}
          </>
        )}
        {typed === undefined && stored === 'otherAddress' && text('cause_otherAddress')}
        {typed === undefined && stored === 'none' && text('options_secretNone')}
      </p>
      <FieldNotes id={id} help={helpFor(label)} locked={stored === 'managed'} />
    </div>
  );
}
