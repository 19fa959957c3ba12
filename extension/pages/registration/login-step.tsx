import { useState } from 'preact/hooks';
import { isPlaintextBeyond } from '../../../shared/address.ts';
import { loginUrl, type Registration } from '../../../shared/service/registration.ts';
import { text } from '../../text.ts';
import { plainText } from '../parts/plain-text.ts';
import { type LoggedIn, logIn } from './log-in.ts';

interface Props {
  uuid: string;
  onRegistration(registration: Registration | undefined): void;
}

export function LoginStep({ uuid, onRegistration }: Props) {
  const [address, setAddress] = useState('');
  const [email, setEmail] = useState('');
  const [allowPlaintext, setAllowPlaintext] = useState(false);
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<Extract<LoggedIn, { ok: false }>>();

  async function submit(form: HTMLFormElement) {
    const field = form.elements.namedItem('password') as HTMLInputElement;
    const password = field.value;
    // Cleared at once, whatever the result: the password is never in the page's state.
    field.value = '';
    setRunning(true);
    setFailure(undefined);
    onRegistration(undefined);
    const result = await logIn({
      registerApiUrl: address.trim(),
      deviceUuid: uuid,
      email: email.trim(),
      password,
      allowPlaintext,
    });
    setRunning(false);
    if (result.ok) onRegistration(result.registration);
    else setFailure(result);
  }

  return (
    <form
      id="login-form"
      class="stack"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <div class="field">
        <label for="register-api-url">{text('registration_api')}</label>
        <input
          {...plainText}
          id="register-api-url"
          type="url"
          required
          value={address}
          aria-describedby="register-api-url-help"
          onInput={({ currentTarget }) => setAddress(currentTarget.value)}
        />
        <p id="register-api-url-help" class="help">
          {text('registration_apiHelp')}
        </p>
      </div>
      {isPlaintext(address) && (
        <div class="check">
          <input
            id="allow-plaintext"
            type="checkbox"
            checked={allowPlaintext}
            onChange={({ currentTarget }) => setAllowPlaintext(currentTarget.checked)}
          />
          <label for="allow-plaintext">{text('registration_plaintext')}</label>
        </div>
      )}
      <div class="row">
        <div class="field grow">
          <label for="email">{text('registration_email')}</label>
          <input
            {...plainText}
            id="email"
            type="email"
            required
            value={email}
            onInput={({ currentTarget }) => setEmail(currentTarget.value)}
          />
        </div>
        <div class="field grow">
          <label for="password">{text('registration_password')}</label>
          <input id="password" name="password" type="password" autocomplete="off" required />
        </div>
      </div>
      <div class="row">
        <button type="submit" id="login" class="primary" disabled={running}>
          {text(running ? 'registration_loggingIn' : 'registration_login')}
        </button>
      </div>
      {failure && (
        <div class="notice notice-bad" role="alert" id="login-failure" data-code={failure.code}>
          <p>
            {failure.code === 'permissionRefused'
              ? text('registration_permissionRefused', failure.host)
              : text(`registration_error_${failure.code}`, failure.host)}
          </p>
          {failure.reason !== undefined && (
            <p class="quiet">{text('registration_error_reason', failure.reason)}</p>
          )}
          <p>{text('registration_passwordAgain')}</p>
        </div>
      )}
    </form>
  );
}

function isPlaintext(address: string): boolean {
  try {
    return isPlaintextBeyond('loopback', loginUrl(address.trim()));
  } catch {
    return false;
  }
}
