import { useState } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { isPlaintextBeyond } from '../../../shared/address.ts';
import {
  type LoginDetails,
  type LoginErrorCode,
  type LoginOptions,
  login,
  loginUrl,
} from '../../../shared/registration/login.ts';
import { patternOf } from '../../match-pattern.ts';
import { type TextKey, text } from '../../text.ts';
import { Button, CheckBox, InputField } from '../parts/form.tsx';
import { hasOrigins, requestOrigins } from '../parts/host-permission.ts';

interface LoginProblem {
  code: LoginErrorCode | 'permissionRefused';
  reason?: string;
}

/** The keys that a login has returned, and the device that they are for. */
export interface DeviceLogin {
  uuid: string;
  details: LoginDetails;
}

interface Props {
  uuid: string;
  onLogin(login: DeviceLogin | undefined): void;
}

export function LoginStep({ uuid, onLogin }: Props) {
  const [address, setAddress] = useState('');
  const [email, setEmail] = useState('');
  const [allowPlaintext, setAllowPlaintext] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<LoginProblem & { host: string }>();
  const url = readUrl(address);

  async function submit(form: HTMLFormElement) {
    const field = form.elements.namedItem('password') as HTMLInputElement;
    const password = field.value;
    // The field is cleared at once, whatever the result. The password is never in the page's state.
    field.value = '';
    setRunning(true);
    setFailure(undefined);
    onLogin(undefined);
    const result = await loginWithPermission({
      registerApiUrl: address.trim(),
      deviceUuid: uuid,
      email: email.trim(),
      password,
      allowPlaintext,
      fetch: (input, init) => fetch(input, init),
    });
    setRunning(false);
    if (result.ok) onLogin({ uuid, details: result.details });
    // The address in the field may have changed since.
    else setFailure({ ...result.error, host: url?.host ?? address });
  }

  return (
    <form
      id="login-form"
      class="stack"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isRunning) void submit(event.currentTarget);
      }}
    >
      <InputField
        id="register-api-url"
        label={text('registration_api')}
        help={text('registration_apiHelp')}
        value={address}
        onText={setAddress}
        input={{ type: 'url', required: true }}
      />
      {url && isPlaintextBeyond('loopback', url) && (
        <CheckBox
          id="allow-plaintext"
          label={text('registration_plaintext')}
          checked={allowPlaintext}
          onCheck={setAllowPlaintext}
        />
      )}
      <InputField
        id="email"
        label={text('registration_email')}
        value={email}
        onText={setEmail}
        input={{ type: 'email', required: true }}
      />
      <div class="field">
        <label for="password">{text('registration_password')}</label>
        <input id="password" name="password" type="password" autocomplete="off" required />
      </div>
      <div class="row">
        <Button
          type="submit"
          id="login"
          class="primary"
          label={text(isRunning ? 'page_loading' : 'registration_login')}
          // Not disabled, which would take the focus from a person who works by keyboard.
          aria-disabled={isRunning}
        />
      </div>
      {failure && <FailureNotice failure={failure} host={failure.host} />}
    </form>
  );
}

function FailureNotice({ failure, host }: { failure: LoginProblem; host: string }) {
  return (
    <div class="notice notice-bad" role="alert" id="login-failure" data-code={failure.code}>
      <p>{text(failureTexts[failure.code], host)}</p>
      {failure.reason !== undefined && (
        <p class="quiet">{text('registration_error_reason', failure.reason)}</p>
      )}
      <p>{text('registration_passwordAgain')}</p>
    </div>
  );
}

const failureTexts = {
  permissionRefused: 'registration_permissionRefused',
  badAddress: 'registration_error_badAddress',
  insecure: 'registration_error_insecure',
  unreachable: 'registration_error_unreachable',
  noAnswerInTime: 'registration_error_unreachable',
  serviceDown: 'registration_error_unreachable',
  wrongPath: 'registration_error_wrongPath',
  notJson: 'registration_error_wrongPath',
  wrongPassword: 'registration_error_wrongPassword',
  refused: 'registration_error_refused',
  unreadableReply: 'registration_error_unreadableReply',
} as const satisfies Record<LoginProblem['code'], TextKey>;

function readUrl(address: string): URL | undefined {
  try {
    return loginUrl(address.trim());
  } catch {
    return undefined;
  }
}

/** Call it directly in a submit. It requests the host permission first, and removes it afterwards if it is new. */
async function loginWithPermission(
  options: LoginOptions,
): Promise<{ ok: true; details: LoginDetails } | { ok: false; error: LoginProblem }> {
  // Without a valid address there is no permission to request. The login itself refuses the address.
  if (!readUrl(options.registerApiUrl)) return login(options);
  const origins = [patternOf(options.registerApiUrl)];
  const had = hasOrigins(origins);
  if (!(await requestOrigins(origins))) return { ok: false, error: { code: 'permissionRefused' } };
  if (await had) return login(options);
  const giveBack = () => browser.permissions.remove({ origins }).catch(() => {});
  // If the person leaves the page, `finally` does not run (Chromium 156, 2026-11).
  addEventListener('pagehide', giveBack);
  try {
    return await login(options);
  } finally {
    removeEventListener('pagehide', giveBack);
    await giveBack();
  }
}
