import { apiVersions, tokenPlaces } from '../../../shared/service/request.ts';
import { valueAt } from '../../dotted-path.ts';
import { text } from '../../text.ts';
import { AllowNotice } from '../parts/allow-notice.tsx';
import { isLocked } from '../parts/is-locked.ts';
import { SetupCodeField } from '../parts/setup-code-field.tsx';
import { neededAddresses, neededPatterns, plaintextAddresses } from '../parts/used-addresses.ts';
import { FieldMapEditor } from './field-map-editor.tsx';
import { CheckField, RadioField, SelectField, TextField } from './fields.tsx';
import { SecretField } from './secret-field.tsx';
import { useForm } from './settings-form.ts';
import { TestConnection } from './test-connection.tsx';
import { useAllowed } from './use-allowed.ts';

export function ConnectionSection() {
  const { draft, view, change, changeSecret } = useForm();
  const direct = valueAt(draft, 'connection.mode') === 'direct';
  const plaintext = plaintextAddresses(draft).length > 0;
  const allowPlaintext = valueAt(draft, 'connection.allowPlaintext') === true;
  return (
    <>
      {!isLocked(view.locked, 'connection.relayUrl') && (
        <SetupCodeField
          onUse={({ relayUrl, from, key }) => {
            change({ 'connection.mode': 'relay', 'connection.relayUrl': relayUrl, 'agent.from': from });
            changeSecret('agentKey', key);
          }}
        />
      )}
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
        label="options_relayUrl"
        placeholder="https://relay.example.com"
        help={text(direct ? 'options_relayUrlDirectHelp' : 'options_relayUrlHelp')}
      />
      {(!direct || Boolean(valueAt(draft, 'connection.relayUrl'))) && (
        <SecretField id="agent-key" name="agentKey" label="options_agentKey" />
      )}
      {(plaintext || allowPlaintext) && (
        <div class={plaintext ? 'notice notice-warn' : ''}>
          {plaintext && <p>{text('options_plaintextMeans')}</p>}
          <CheckField
            id="allow-plaintext"
            path="connection.allowPlaintext"
            label="options_allowPlaintext"
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
  const local = valueAt(draft, 'connection.direct.useLocal') === true;
  return (
    <>
      {!local && (
        <>
          <TextField
            id="primary-url"
            path="connection.direct.primaryUrl"
            kind="url"
            label="options_primaryUrl"
            placeholder="https://api.example.com"
          />
          <TextField
            id="secondary-url"
            path="connection.direct.secondaryUrl"
            kind="url"
            label="options_secondaryUrl"
          />
        </>
      )}
      <CheckField id="use-local" path="connection.direct.useLocal" label="options_useLocal" />
      {local && (
        <TextField
          id="local-url"
          path="connection.direct.localUrl"
          kind="url"
          label="options_localUrl"
          placeholder="http://pbx.local:3000"
        />
      )}
      <SecretField id="service-token" name="serviceToken" label="options_serviceToken" />
      <AdvancedDirectFields />
    </>
  );
}

/** What most services need as it is. */
function AdvancedDirectFields() {
  const { draft } = useForm();
  const own = valueAt(draft, 'connection.direct.returnTo') === 'own';
  const withRelay = Boolean(valueAt(draft, 'connection.relayUrl'));
  return (
    <details id="direct-advanced">
      <summary>{text('options_advanced')}</summary>
      <div class="stack">
        <div class="pair">
          <SelectField
            id="token-in"
            path="connection.direct.tokenIn"
            label="options_tokenIn"
            options={tokenPlaces}
          />
          <SelectField
            id="method"
            path="connection.direct.method"
            label="options_method"
            options={[
              ['post', 'POST'],
              ['get', 'GET'],
            ]}
          />
          <SelectField
            id="version"
            path="connection.direct.version"
            label="options_version"
            options={apiVersions.map((version) => [version, version])}
          />
          <SelectField
            id="return-to"
            path="connection.direct.returnTo"
            label="options_returnTo"
            options={['relay', 'own', 'none']}
          />
        </div>
        {own && (
          <TextField
            id="own-return-url"
            path="connection.direct.ownReturnUrl"
            kind="url"
            label="options_ownReturnUrl"
          />
        )}
        <FieldMapEditor />
        {withRelay && (
          <CheckField
            id="place-without-relay"
            path="connection.direct.placeWithoutRelay"
            label="options_placeWithoutRelay"
          />
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
