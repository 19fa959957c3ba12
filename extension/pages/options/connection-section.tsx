import { text } from '../../text.ts';
import { originPattern, requestOrigins } from '../parts/host-permission.ts';
import { neededAddresses, plaintextAddresses, valueAt } from './draft.ts';
import { FieldMapEditor } from './field-map-editor.tsx';
import { CheckField, RadioField, SelectField, TextField } from './fields.tsx';
import { useForm } from './form.ts';
import { SecretField } from './secret-field.tsx';
import { TestConnection } from './test-connection.tsx';
import { useAllowed } from './use-allowed.ts';

export function ConnectionSection() {
  const { draft } = useForm();
  const direct = valueAt(draft, 'connection.mode') === 'direct';
  const plaintext = plaintextAddresses(draft).length > 0;
  const allowPlaintext = valueAt(draft, 'connection.allowPlaintext') === true;
  return (
    <>
      <RadioField
        name="mode"
        path="connection.mode"
        label={text('options_mode')}
        options={[
          {
            id: 'mode-relay',
            value: 'relay',
            label: text('options_modeRelay'),
            help: text('options_modeRelayHelp'),
          },
          {
            id: 'mode-direct',
            value: 'direct',
            label: text('options_modeDirect'),
            help: text('options_modeDirectHelp'),
          },
        ]}
      />
      {direct && <DirectFields />}
      <TextField
        id="relay-url"
        path="connection.relayUrl"
        kind="url"
        label={text(direct ? 'options_relayUrlOptional' : 'options_relayUrl')}
        placeholder="https://relay.example.com"
        help={text(direct ? 'options_relayUrlDirectHelp' : 'options_relayUrlHelp')}
      />
      <SecretField
        id="agent-key"
        name="agentKey"
        label={text('options_agentKey')}
        help={text('options_agentKeyHelp')}
      />
      {(plaintext || allowPlaintext || !direct) && (
        <div class={plaintext ? 'notice notice-warn' : ''}>
          {plaintext && <p>{text('options_plaintextMeans')}</p>}
          <CheckField
            id="allow-plaintext"
            path="connection.allowPlaintext"
            label={text('options_allowPlaintext')}
            {...(plaintext ? {} : { help: text('options_allowPlaintextHelp') })}
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
  const get = valueAt(draft, 'connection.direct.method') === 'get';
  const own = valueAt(draft, 'connection.direct.returnTo') === 'own';
  const withRelay = Boolean(valueAt(draft, 'connection.relayUrl'));
  return (
    <>
      <TextField
        id="primary-url"
        path="connection.direct.primaryUrl"
        kind="url"
        label={text('options_primaryUrl')}
        placeholder="https://api.example.com"
        help={text('options_primaryUrlHelp')}
      />
      <TextField
        id="secondary-url"
        path="connection.direct.secondaryUrl"
        kind="url"
        label={text('options_secondaryUrl')}
        help={text('options_secondaryUrlHelp')}
      />
      <CheckField
        id="use-local"
        path="connection.direct.useLocal"
        label={text('options_useLocal')}
        help={text('options_useLocalHelp')}
      />
      <TextField
        id="local-url"
        path="connection.direct.localUrl"
        kind="url"
        label={text('options_localUrl')}
        placeholder="http://pbx.local:3000"
      />
      <SecretField
        id="service-token"
        name="serviceToken"
        label={text('options_serviceToken')}
        help={text('options_serviceTokenHelp')}
      />
      <div class="pair">
        <SelectField
          id="token-in"
          path="connection.direct.tokenIn"
          label={text('options_tokenIn')}
          options={[
            ['header', text('options_tokenIn_header')],
            ['body', text(get ? 'options_tokenIn_bodyGet' : 'options_tokenIn_body')],
            ['query', text('options_tokenIn_query')],
          ]}
        />
        <SelectField
          id="method"
          path="connection.direct.method"
          label={text('options_method')}
          options={[
            ['post', 'POST'],
            ['get', 'GET'],
          ]}
        />
        <SelectField
          id="version"
          path="connection.direct.version"
          label={text('options_version')}
          options={[
            ['v1', text('options_version_v1')],
            ['v2', text('options_version_v2')],
          ]}
        />
        <SelectField
          id="return-to"
          path="connection.direct.returnTo"
          label={text('options_returnTo')}
          options={[
            ['relay', text('options_returnTo_relay')],
            ['own', text('options_returnTo_own')],
            ['none', text('options_returnTo_none')],
          ]}
        />
      </div>
      {own && (
        <TextField
          id="own-return-url"
          path="connection.direct.ownReturnUrl"
          kind="url"
          label={text('options_ownReturnUrl')}
          help={text('options_ownReturnUrlHelp')}
        />
      )}
      <FieldMapEditor />
      {withRelay && (
        <CheckField
          id="place-without-relay"
          path="connection.direct.placeWithoutRelay"
          label={text('options_placeWithoutRelay')}
          help={text('options_placeWithoutRelayHelp')}
        />
      )}
    </>
  );
}

/** Hosts that the settings name and the browser does not let us reach yet. */
function MissingPermission() {
  const { draft } = useForm();
  const addresses = neededAddresses(draft);
  const patterns = [...new Set(addresses.map(originPattern))];
  const allowed = useAllowed(patterns);
  if (allowed !== false) return null;
  return (
    <div class="notice notice-warn" id="host-permission">
      <p>
        {text('options_hostPermission', addresses.map((address) => new URL(address).hostname).join(', '))}
      </p>
      <button type="button" id="allow-hosts" onClick={() => void requestOrigins(patterns)}>
        {text('options_allow')}
      </button>
    </div>
  );
}
