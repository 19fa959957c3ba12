import { text } from '../../text.ts';

export function RegistrationSection() {
  return (
    <>
      <p class="quiet">{text('options_registrationIntro')}</p>
      <p>
        <a id="open-registration" href="../registration/index.html">
          {text('options_registrationLink')}
        </a>
      </p>
    </>
  );
}
