import type { SecretName } from '../../messages/pages.ts';
import { text } from '../../text.ts';
import { Button, InputField, secretText } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { helpFor } from './fields.tsx';
import { useForm } from './settings-form.ts';

/** Replaces or removes a secret with the next Save. No message returns a secret (Law 3). */
export function SecretField({ id, name }: { id: string; name: SecretName }) {
  const { view, secrets, changeSecret } = useForm();
  const stored = view.secrets[name];
  const typed = secrets[name];
  const label = `options_${name}` as const;
  return (
    <InputField
      id={id}
      label={text(label)}
      help={helpFor(label)}
      locked={stored === 'managed'}
      value={typed ?? ''}
      onText={(value) => changeSecret(name, value.trim() || undefined)}
      input={{ ...secretText, placeholder: stored === 'none' || typed === null ? '' : '••••••••' }}
    >
      {(stored === 'saved' || stored === 'otherAddress') && (
        <Button
          id={`remove-${id}`}
          label={text(typed === null ? 'options_keep' : 'options_remove')}
          onClick={() => changeSecret(name, typed === null ? undefined : null)}
        />
      )}
      <p id={`${id}-state`} class="secret-state" role="status" data-state={stored}>
        {typed === undefined && stored === 'saved' && <Icon name="lock" />}
        {stateText(stored, typed)}
      </p>
    </InputField>
  );
}

type Stored = ReturnType<typeof useForm>['view']['secrets'][SecretName];

function stateText(stored: Stored, typed: string | null | undefined): string {
  if (typed === null) return text('options_secretRemoved');
  if (typed !== undefined || stored === 'managed') return '';
  if (stored === 'otherAddress') return text('cause_otherAddress');
  return text(stored === 'saved' ? 'options_secretSaved' : 'options_secretNone');
}
