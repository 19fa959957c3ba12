import { useRef, useState } from 'preact/hooks';
import { valueAt } from '../../dotted-path.ts';
import { secretNames, type TypedSecrets } from '../../messages/pages.ts';
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
const none: Test = { step: 'none' };
/** What was tested for a result. */
interface Tested {
  connection: string;
  secrets: TypedSecrets;
}
/**
 * Whether another secret was typed or removed since the test. A secret that was saved since is no longer among the
 * typed ones.
 */
const isOtherSecret = (now: TypedSecrets, tested: TypedSecrets): boolean =>
  secretNames.some((name) => now[name] !== undefined && now[name] !== tested[name]);

/** Tests every address that a call would use, saved or not, and names the cause of a failure. It places no call. */
export function TestConnection() {
  const { draft, secrets, problems } = useForm();
  const patterns = neededPatterns(draft);
  const allowed = useAllowed(patterns);
  const [{ tested, ...test }, setTest] = useState<Test & { tested?: Tested }>({ step: 'none' });
  const connection = JSON.stringify([draft.connection, valueAt(draft, 'agent.from')]);
  const isOfThese = tested?.connection === connection && !isOtherSecret(secrets, tested.secrets);
  const shown = isOfThese ? test : none;
  /** Counts the tests. A server that does not answer may hold up the reply to an earlier test. */
  const turn = useRef(0);

  async function run() {
    turn.current += 1;
    const mine = turn.current;
    const tested = { connection, secrets };
    setTest({ step: 'running', tested });
    const reply = await sendRequest('page.testConnection', { settings: withSchemes(draft), secrets });
    if (mine !== turn.current) return;
    setTest({
      tested,
      ...(reply.ok ? { step: 'done', result: reply.value } : { step: 'failed', error: reply.error }),
    });
  }

  function start() {
    if (shown.step === 'running') return;
    if (problems.size > 0) return focusFirstProblem();
    // The test does not wait for the browser's question, which may stay open for long. After a yes, the test runs
    // again, unless a newer test was started.
    const asked = allowed ? undefined : requestOrigins(patterns);
    void run();
    const mine = turn.current;
    void asked?.then((yes) => (yes && mine === turn.current ? run() : undefined));
  }

  return (
    <div class="stack">
      <div class="row">
        <Button
          id="test-connection"
          label={text('options_testConnection')}
          // Not disabled, which would take the focus from an agent who works by keyboard.
          aria-disabled={shown.step === 'running'}
          onClick={start}
        />
      </div>
      <div
        id="test-result"
        role="status"
        data-state={shown.step === 'done' ? (shown.result.ok ? 'ok' : 'failed') : shown.step}
      >
        {shown.step === 'running' && <p class="quiet">{text('options_testing')}</p>}
        {shown.step === 'failed' && <ErrorNotice error={shown.error} />}
        {shown.step === 'done' && <ConnectionChecks test={shown.result} />}
      </div>
    </div>
  );
}
