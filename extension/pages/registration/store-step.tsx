import type { LoginDetails } from '../../../shared/registration/login.ts';
import { usualLengths } from '../../../shared/registration/record.ts';
import { pastedRegistration } from '../../../shared/registration/statements.ts';
import { text } from '../../text.ts';
import { AskedButton } from '../parts/asked-button.tsx';
import { useCopy } from '../parts/copy-button.tsx';
import { Button } from '../parts/form.tsx';
import { saveFile } from '../parts/save-file.ts';

const command = 'mysql --user=USER --password --database=DATABASE < registration.sql';

interface Props {
  uuid: string;
  details: LoginDetails | undefined;
  onForget(): void;
}

export function StoreStep({ uuid, details, onForget }: Props) {
  if (details === undefined) return null;
  const name = [details.account.firstName, details.account.lastName].filter(Boolean).join(' ');
  const statements = pastedRegistration(uuid, details);
  return (
    <>
      <p role="status" id="logged-in">
        {text('registration_loggedInAs', name || uuid)}
      </p>
      <KeyValue column="client_key" value={details.clientKey} />
      <KeyValue column="api_key" value={details.apiKey} />
      <CopyableValue id="statements" label={text('registration_statements')} value={statements} />
      <p>{text('registration_statementsText')}</p>
      <div class="row">
        <Button
          id="save-statements"
          label={text('registration_saveFile')}
          onClick={() => saveFile('registration.sql', 'application/sql', statements)}
        />
      </div>
      <CopyableValue id="command" label={text('registration_command')} value={command} />
      <div>
        <AskedButton
          id="forget"
          class="plain"
          label={text('registration_forget')}
          questionId="forget-keys"
          question={text('registration_forgetQuestion')}
          consequence={text('registration_forgetConsequence')}
          yes={text('registration_forgetYes')}
          onYes={async () => {
            onForget();
            // The pressed button disappears with the keys.
            document.getElementById('password')?.focus();
            return undefined;
          }}
        />
      </div>
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
  const { copy, result } = useCopy(value);
  return (
    <div class="value">
      <div class="value-label">
        {label}
        {note !== undefined && <span class="quiet small">{note}</span>}
        <span class="quiet small" role="status">
          {result}
        </span>
      </div>
      <pre>
        <code id={id} dir="ltr">
          {value}
        </code>
      </pre>
      <Button
        id={`copy-${id}`}
        icon="copy"
        label={text('registration_copy')}
        aria-label={text('registration_copyWhat', label)}
        onClick={copy}
      />
      {problem !== undefined && <p class="problem">{problem}</p>}
    </div>
  );
}
