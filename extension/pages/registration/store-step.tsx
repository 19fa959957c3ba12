import { useState } from 'preact/hooks';
import type { LoginDetails } from '../../../shared/registration/login.ts';
import { usualLengths } from '../../../shared/registration/record.ts';
import { pastedRegistration } from '../../../shared/registration/statements.ts';
import { text } from '../../text.ts';
import { DestructiveQuestion } from '../parts/destructive-question.tsx';
import { Icon } from '../parts/icon.tsx';
import { saveFile } from '../parts/save-file.ts';

const command = 'mysql --user=USER --password --database=DATABASE < registration.sql';

interface Props {
  uuid: string;
  details: LoginDetails | undefined;
  onForget(): void;
}

export function StoreStep({ uuid, details, onForget }: Props) {
  const [isAsked, setAsked] = useState(false);
  if (details === undefined) return <p class="quiet">{text('registration_step3Before')}</p>;
  const name = [details.account.firstName, details.account.lastName].filter(Boolean).join(' ');
  const statements = pastedRegistration(uuid, details);
  return (
    <>
      <p role="status" id="logged-in">
        {name === '' ? text('registration_loggedIn') : text('registration_loggedInAs', name)}
      </p>
      <KeyValue column="client_key" value={details.clientKey} />
      <KeyValue column="api_key" value={details.apiKey} />
      <CopyableValue id="statements" label={text('registration_statements')} value={statements} />
      <p>{text('registration_statementsText')}</p>
      <div class="row">
        <button
          type="button"
          id="save-statements"
          onClick={() => saveFile('registration.sql', 'application/sql', statements)}
        >
          {text('registration_saveFile')}
        </button>
      </div>
      <CopyableValue id="command" label={text('registration_command')} value={command} />
      <div class="row">
        <button
          type="button"
          id="forget"
          class="plain"
          aria-expanded={isAsked}
          onClick={() => setAsked(!isAsked)}
        >
          {text('registration_forget')}
        </button>
      </div>
      {isAsked && (
        <DestructiveQuestion
          id="forget-keys"
          question={text('registration_forgetQuestion')}
          consequence={text('registration_forgetConsequence')}
          yes={text('registration_forgetYes')}
          onYes={() => {
            setAsked(false);
            onForget();
          }}
          onNo={() => setAsked(false)}
        />
      )}
    </>
  );
}

function KeyValue({ column, value }: { column: keyof typeof usualLengths; value: string }) {
  const length = [...value].length;
  const limit = usualLengths[column];
  return (
    <CopyableValue
      id={column}
      label={column}
      note={text('registration_characters', length)}
      problem={length > limit ? text('registration_tooLong', column, length, limit) : undefined}
      value={value}
    />
  );
}

interface CopyableProps {
  id: string;
  label: string;
  note?: string;
  problem?: string | undefined;
  value: string;
}

/** A value with a button that copies it unchanged. */
export function CopyableValue({ id, label, note, problem, value }: CopyableProps) {
  const [state, setState] = useState<'copied' | 'copyFailed'>();
  return (
    <div class="value">
      <div class="value-label">
        {label}
        {note !== undefined && <span class="quiet small">{note}</span>}
        <span class="quiet small" role="status">
          {state !== undefined && text(`registration_${state}`)}
        </span>
      </div>
      <pre>
        <code id={id} dir="ltr">
          {value}
        </code>
      </pre>
      <button
        type="button"
        id={`copy-${id}`}
        aria-label={text('registration_copyWhat', label)}
        onClick={() =>
          void navigator.clipboard.writeText(value).then(
            () => setState('copied'),
            () => setState('copyFailed'),
          )
        }
      >
        <Icon name="copy" />
        {text('registration_copy')}
      </button>
      {problem !== undefined && <p class="problem">{problem}</p>}
    </div>
  );
}
