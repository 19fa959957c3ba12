import { useState } from 'preact/hooks';
import type { Refusal } from '../../messages/result.ts';
import type { ConnectionTest } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { ConnectionChecks } from '../parts/connection-checks.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Button } from '../parts/form.tsx';
import { requestOrigins } from '../parts/host-permission.ts';
import { sendRequest } from '../parts/send-request.ts';
import { neededPatterns, withSchemes } from '../parts/used-addresses.ts';
import { focusFirstProblem, useForm } from './settings-form.ts';
import { useAllowed } from './use-allowed.ts';

type Test =
  | { step: 'none' | 'running' }
  | { step: 'done'; result: ConnectionTest }
  | { step: 'failed'; error: Refusal };

/** Tries every address that a call would use, saved or not, and names the cause of a failure. Places no call. */
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

  function start() {
    if (problems.size > 0) return focusFirstProblem();
    // The question may stay open for long, so the test does not wait for it; a yes is worth another test.
    if (!allowed) void requestOrigins(patterns).then((yes) => (yes ? run() : undefined));
    void run();
  }

  return (
    <div class="stack">
      <div class="row">
        <Button
          id="test-connection"
          label={text('options_testConnection')}
          disabled={test.step === 'running'}
          onClick={start}
        />
      </div>
      <div
        id="test-result"
        role="status"
        data-state={test.step === 'done' ? (test.result.ok ? 'ok' : 'failed') : test.step}
      >
        {test.step === 'running' && <p class="quiet">{text('options_testing')}</p>}
        {test.step === 'failed' && <ErrorNotice error={test.error} />}
        {test.step === 'done' && <ConnectionChecks test={test.result} />}
      </div>
    </div>
  );
}
