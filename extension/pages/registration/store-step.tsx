import { useState } from 'preact/hooks';
import type { Registration } from '../../../shared/service/registration.ts';
import { text } from '../../text.ts';
import { DestructiveQuestion } from '../parts/destructive-question.tsx';
import { saveFile } from '../parts/save-file.ts';
import { CopyableValue } from './copyable-value.tsx';
import { command, usualLengths, writeStatements } from './statements.ts';

interface Props {
  uuid: string;
  registration: Registration | undefined;
  onForget(): void;
}

export function StoreStep({ uuid, registration, onForget }: Props) {
  const [isAsked, setAsked] = useState(false);
  if (registration === undefined) return <p class="quiet">{text('registration_step3Before')}</p>;
  const { clientKey, apiKey, account } = registration;
  const name = [account.firstName, account.lastName].filter(Boolean).join(' ');
  const statements = writeStatements({ uuid, clientKey, apiKey });
  return (
    <>
      <p role="status" id="logged-in">
        {name === '' ? text('registration_loggedIn') : text('registration_loggedInAs', name)}
      </p>
      <Key column="client_key" value={clientKey} />
      <Key column="api_key" value={apiKey} />
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
      <div class="notice notice-warn">
        <p>{text('registration_booleanTrap')}</p>
      </div>
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

function Key({ column, value }: { column: keyof typeof usualLengths; value: string }) {
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
