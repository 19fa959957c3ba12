import { useState } from 'preact/hooks';
import { isPlaintextBeyond } from '../../../shared/address.ts';
import { decodeSetupCode, type SetupCode } from '../../../shared/protocol/setup-code.ts';
import { text } from '../../text.ts';
import { HostName } from './host-name.ts';
import { plainText } from './plain-text.ts';

/** What a setup code fills in, after the agent's yes. */
export interface Setup {
  relayUrl: string;
  from: string;
  key: string;
}

interface Props {
  onUse(setup: Setup): void;
}

/** Takes the string that `relay key add --setup-code` prints. Shows what is in it, but not the key, and asks before it is used. */
export function SetupCodeField({ onUse }: Props) {
  const [typed, setTyped] = useState('');
  const code = decodeSetupCode(typed);
  const isWrong = typed.trim() !== '' && code === undefined;

  return (
    <div class="stack setup-code">
      <div class="field">
        <label for="setup-code">{text('setup_code')}</label>
        <input
          {...plainText}
          id="setup-code"
          type="password"
          autocomplete="new-password"
          value={typed}
          aria-invalid={isWrong}
          aria-describedby="setup-code-help"
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <p id="setup-code-help" class={isWrong ? 'problem' : 'help'}>
          {text(isWrong ? 'setup_wrong' : 'setup_help')}
        </p>
      </div>
      {code && (
        <SetupQuestion
          key={typed}
          code={code}
          onUse={(setup) => {
            setTyped('');
            onUse(setup);
          }}
        />
      )}
    </div>
  );
}

function SetupQuestion({ code, onUse }: Props & { code: SetupCode }) {
  const { relayUrl, callers, key } = code;
  const [from, setFrom] = useState(callers.length === 1 ? callers[0]! : '');
  return (
    <div class="notice" id="setup-question">
      <dl class="facts">
        <dt>{text('options_relayUrl')}</dt>
        <dd dir="ltr">
          <HostName host={relayUrl} />
        </dd>
        <dt>
          {callers.length === 1 ? (
            text('options_from')
          ) : (
            <label for="setup-from">{text('options_from')}</label>
          )}
        </dt>
        <dd>
          {callers.length === 1 ? (
            from
          ) : (
            <select
              id="setup-from"
              value={from}
              onChange={({ currentTarget }) => setFrom(currentTarget.value)}
            >
              <option value="">{text('setup_choose')}</option>
              {callers.map((caller) => (
                <option key={caller} value={caller}>
                  {caller}
                </option>
              ))}
            </select>
          )}
        </dd>
        <dt>{text('options_agentKey')}</dt>
        <dd>{text('setup_keyIncluded')}</dd>
      </dl>
      {isPlaintextBeyond('loopback', relayUrl) && <p class="problem">{text('options_plaintextMeans')}</p>}
      <button
        type="button"
        class="primary"
        id="use-setup-code"
        disabled={from === ''}
        onClick={() => onUse({ relayUrl, from, key })}
      >
        {text('setup_use')}
      </button>
    </div>
  );
}
