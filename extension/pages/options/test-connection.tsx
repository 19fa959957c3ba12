import { useState } from 'preact/hooks';
import type { Refusal } from '../../messages/result.ts';
import type { ConnectionTest } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { HostName } from '../parts/host-name.ts';
import { requestOrigins } from '../parts/host-permission.ts';
import { Icon } from '../parts/icon.tsx';
import { sendRequest } from '../parts/send-request.ts';
import { neededPatterns, withSchemes } from '../parts/used-addresses.ts';
import { focusFirstProblem, useForm } from './settings-form.ts';
import { useAllowed } from './use-allowed.ts';

type Test =
  | { step: 'none' | 'running' }
  | { step: 'done'; result: ConnectionTest }
  | { step: 'failed'; error: Refusal };

/** Tries every address in the fields that a call would use, saved or not, without placing one, and names the cause of what fails. */
export function TestConnection() {
  const { draft, secrets, problems } = useForm();
  const patterns = neededPatterns(draft);
  const allowed = useAllowed(patterns);
  const [test, setTest] = useState<Test>({ step: 'none' });

  async function run() {
    setTest({ step: 'running' });
    const reply = await sendRequest('page.testConnection', { settings: withSchemes(draft), secrets });
    setTest(reply.ok ? { step: 'done', result: reply.value } : { step: 'failed', error: reply.error });
  }

  return (
    <div class="stack">
      <div class="row">
        <button
          type="button"
          id="test-connection"
          disabled={test.step === 'running'}
          onClick={() => {
            if (problems.size > 0) return focusFirstProblem();
            // The question may stay open for long, so the test does not wait for it; a yes is worth another test.
            if (!allowed) void requestOrigins(patterns).then((yes) => (yes ? run() : undefined));
            void run();
          }}
        >
          {text('options_testConnection')}
        </button>
      </div>
      <div
        id="test-result"
        role="status"
        data-state={test.step === 'done' ? (test.result.ok ? 'ok' : 'failed') : test.step}
      >
        {test.step === 'running' && <p class="quiet">{text('options_testing')}</p>}
        {test.step === 'failed' && <ErrorNotice error={test.error} />}
        {test.step === 'done' && (
          <ul class="checks">
            {test.result.checks.map((check) => (
              <li
                key={check.what + check.url}
                class={check.ok ? 'notice notice-good' : 'notice notice-bad'}
                data-cause={check.cause ?? 'ok'}
              >
                <p>
                  <Icon name={check.ok ? 'answered' : 'failed'} />{' '}
                  <strong>{text(`options_${check.what}Url`)}</strong>{' '}
                  <code>
                    <HostName host={check.url} />
                  </code>
                </p>
                <p>{check.sentence}</p>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
