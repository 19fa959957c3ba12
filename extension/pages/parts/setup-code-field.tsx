import { isPlaintextBeyond } from '../../../shared/address.ts';
import type { SetupCode } from '../../../shared/protocol/setup-code.ts';
import { text } from '../../text.ts';
import { Button, InputField, secretText } from './form.tsx';
import { HostName } from './host-name.ts';
import { readSetup, type Setup, type SetupEntry } from './read-setup.ts';
import { useKeptFocus } from './use-kept-focus.ts';

interface Props {
  entry: SetupEntry;
  /** The relay's address, if the organisation has set it. */
  lockedRelay: string | undefined;
  onEntry(entry: SetupEntry): void;
  onUse(setup: Setup): void;
}

/**
 * A field for the code that `relay key add --setup-code` prints. It shows what the code holds, except the key, and asks
 * before it is used.
 */
export function SetupCodeField({ entry, lockedRelay, onEntry, onUse }: Props) {
  const { code, setup, problem } = readSetup(entry, lockedRelay);
  const field = useKeptFocus<HTMLDivElement>('#setup-code');
  return (
    <div class="stack setup-code" ref={field}>
      <InputField
        id="setup-code"
        label={text('setup_code')}
        {...(problem && !code ? { problem: text(problem) } : { help: text('setup_help') })}
        value={entry.typed}
        onText={(typed) => onEntry({ typed, from: '' })}
        input={secretText}
      />
      {code && (
        <div class="notice" id="setup-question">
          <dl class="facts">
            <dt>{text('options_relayUrl')}</dt>
            <dd dir="ltr">
              <HostName host={code.relayUrl} />
            </dd>
            <dt>
              <label for="setup-from">{text('options_from')}</label>
            </dt>
            <dd>
              <Caller code={code} from={entry.from} onFrom={(from) => onEntry({ ...entry, from })} />
            </dd>
          </dl>
          {isPlaintextBeyond('loopback', code.relayUrl) && (
            <p class="problem">{text('options_plaintextMeans')}</p>
          )}
          <Button
            id="use-setup-code"
            class="primary"
            label={text('setup_use')}
            disabled={!setup}
            onClick={() => setup && onUse(setup)}
          />
        </div>
      )}
    </div>
  );
}

/** The code's extension. If there are several, the agent chooses one. */
function Caller({ code, from, onFrom }: { code: SetupCode; from: string; onFrom(from: string): void }) {
  const { callers } = code;
  if (callers.length === 1) return <output id="setup-from">{callers[0]}</output>;
  return (
    <select
      id="setup-from"
      value={from}
      aria-invalid={from === ''}
      onChange={({ currentTarget }) => onFrom(currentTarget.value)}
    >
      <option value="">{text('setup_choose')}</option>
      {callers.map((caller) => (
        <option key={caller} value={caller}>
          {caller}
        </option>
      ))}
    </select>
  );
}
