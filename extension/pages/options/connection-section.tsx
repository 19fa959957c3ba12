import { apiVersions, callMethods, tokenPlaces } from '../../../shared/service/request.ts';
import { valueAt } from '../../dotted-path.ts';
import { returnPlaces } from '../../settings.ts';
import { text } from '../../text.ts';
import { AllowNotice } from '../parts/allow-notice.tsx';
import { lockedRelayOf } from '../parts/read-setup.ts';
import { SetupCodeField } from '../parts/setup-code-field.tsx';
import { neededAddresses, neededPatterns, plaintextAddresses } from '../parts/used-addresses.ts';
import { CheckField, RadioField, SelectField, TextField } from './fields.tsx';
import { SecretField } from './secret-field.tsx';
import { useForm } from './settings-form.ts';
import { TestConnection } from './test-connection.tsx';
import { useAllowed } from './use-allowed.ts';

export function ConnectionSection() {
  const { draft, view, setupEntry, setSetupEntry, fillIn } = useForm();
  const direct = valueAt(draft, 'connection.mode') === 'direct';
  const plaintext = plaintextAddresses(draft).length > 0;
  const allowPlaintext = valueAt(draft, 'connection.allowPlaintext') === true;
  return (
    <>
      <SetupCodeField
        entry={setupEntry}
        lockedRelay={lockedRelayOf(view)}
        onEntry={setSetupEntry}
        onUse={fillIn}
      />
      <RadioField
        name="mode"
        path="connection.mode"
        label="options_mode"
        options={[
          ['relay', 'options_modeRelay'],
          ['direct', 'options_modeDirect'],
        ]}
      />
      {direct && <DirectFields />}
      <TextField
        id="relay-url"
        path="connection.relayUrl"
        kind="url"
        placeholder="https://relay.example.com"
        {...(direct && { help: text('options_relayUrlDirectHelp') })}
      />
      {(!direct || Boolean(valueAt(draft, 'connection.relayUrl'))) && (
        <SecretField id="agent-key" name="agentKey" />
      )}
      {(plaintext || allowPlaintext) && (
        <div class={plaintext ? 'notice notice-warn' : ''}>
          {plaintext && <p>{text('options_plaintextMeans')}</p>}
          <CheckField
            id="allow-plaintext"
            path="connection.allowPlaintext"
            {...(plaintext && { help: '' })}
          />
        </div>
      )}
      <MissingPermission />
      <TestConnection />
    </>
  );
}

function DirectFields() {
  const { draft } = useForm();
  const at = 'connection.direct';
  const isLocal = valueAt(draft, `${at}.useLocal`) === true;
  return (
    <>
      {!isLocal && (
        <>
          <TextField
            id="primary-url"
            path={`${at}.primaryUrl`}
            kind="url"
            placeholder="https://api.example.com"
          />
          <TextField id="secondary-url" path={`${at}.secondaryUrl`} kind="url" />
        </>
      )}
      <CheckField id="use-local" path={`${at}.useLocal`} />
      {isLocal && (
        <TextField id="local-url" path={`${at}.localUrl`} kind="url" placeholder="http://pbx.local:3000" />
      )}
      <SecretField id="service-token" name="serviceToken" />
      <AdvancedDirectFields />
    </>
  );
}

/** Fields whose defaults suit most services. */
function AdvancedDirectFields() {
  const { draft } = useForm();
  const at = 'connection.direct';
  return (
    <details id="direct-advanced">
      <summary>{text('options_advanced')}</summary>
      <div class="stack">
        <div class="pair">
          <SelectField id="token-in" path={`${at}.tokenIn`} options={tokenPlaces} />
          <SelectField
            id="method"
            path={`${at}.method`}
            options={callMethods.map((name) => [name, name.toUpperCase()])}
          />
          <SelectField
            id="version"
            path={`${at}.version`}
            options={apiVersions.map((name) => [name, name])}
          />
          <SelectField id="return-to" path={`${at}.returnTo`} options={returnPlaces} />
        </div>
        {valueAt(draft, `${at}.returnTo`) === 'own' && (
          <TextField id="own-return-url" path={`${at}.ownReturnUrl`} kind="url" />
        )}
        <TextField id="field-map" path={`${at}.map`} placeholder="callid:external_id,billsec:talk" />
        {Boolean(valueAt(draft, 'connection.relayUrl')) && (
          <CheckField id="place-without-relay" path={`${at}.placeWithoutRelay`} />
        )}
      </div>
    </details>
  );
}

/** Hosts of the settings that the browser does not let us reach yet. */
function MissingPermission() {
  const { draft } = useForm();
  const allowed = useAllowed(neededPatterns(draft));
  return allowed === false ? <AllowNotice addresses={neededAddresses(draft)} /> : null;
}
