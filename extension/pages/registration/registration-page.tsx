import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { readStatement } from '../../../shared/registration/statements.ts';
import { text } from '../../text.ts';
import { InputField } from '../parts/form.tsx';
import { startPage } from '../parts/start-page.tsx';
import { ClearStep } from './clear-step.tsx';
import { type DeviceLogin, LoginStep } from './login-step.tsx';
import { CopyableValue, StoreStep } from './store-step.tsx';

/** The manual registration (section 4.2) without a shell on the PBX. Everything is kept only in this page's memory. */
function RegistrationPage() {
  const [uuid, setUuid] = useState('');
  const [login, setLogin] = useState<DeviceLogin>();
  // The UUID may change while a login is running.
  const details = login?.uuid === uuid ? login.details : undefined;
  return (
    <main>
      <header class="masthead">
        <img src="../../icons/48.png" alt="" width="32" height="32" />
        <h1>{text('registration_title')}</h1>
        <p>{text('registration_intro')}</p>
        <p class="quiet">{text('registration_shell')}</p>
      </header>
      <ol class="steps">
        <NumberedStep number={1} title={text('registration_step1')}>
          <p>{text('registration_step1Text')}</p>
          <CopyableValue id="read-statement" label="SQL" value={readStatement} />
          <InputField
            id="device-uuid"
            label={text('registration_uuid')}
            value={uuid}
            onText={(typed) => {
              setUuid(typed.trim());
              // The keys are for one device only.
              setLogin(undefined);
            }}
            input={{ form: 'login-form', required: true }}
          />
        </NumberedStep>
        <NumberedStep number={2} title={text('registration_login')}>
          <p>{text('registration_step2Text')}</p>
          <LoginStep uuid={uuid} onLogin={setLogin} />
        </NumberedStep>
        <NumberedStep number={3} title={text('registration_step3')}>
          <StoreStep uuid={uuid} details={details} onForget={() => setLogin(undefined)} />
        </NumberedStep>
        <NumberedStep number={4} title={text('registration_step4')}>
          <p>{text('registration_step4Text')}</p>
          <ClearStep />
        </NumberedStep>
      </ol>
    </main>
  );
}

function NumberedStep(props: { number: number; title: string; children: ComponentChildren }) {
  const { number, title, children } = props;
  return (
    <li class="card">
      <h2>
        <span class="step-number">{number}</span> {title}
      </h2>
      {children}
    </li>
  );
}

await startPage(RegistrationPage, () => text('registration_title'));
