import { useState } from 'preact/hooks';
import type { Refusal } from '../../messages.ts';
import { text } from '../../text.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { sendRequest } from '../parts/send-request.ts';

/** Removes this browser's calls and notes, after one question. The relay's history stays, as does a call in progress. */
export function ForgetHistory() {
  const [step, setStep] = useState<'idle' | 'asked' | 'done'>('idle');
  const [kept, setKept] = useState(0);
  const [error, setError] = useState<Refusal>();

  async function forget() {
    const reply = await sendRequest('page.forgetHistory', {});
    setError(reply.ok ? undefined : reply.error);
    if (reply.ok) setKept(reply.value.kept);
    setStep(reply.ok ? 'done' : 'idle');
  }

  return (
    <div class="field">
      <h3>{text('options_history')}</h3>
      <p class="help">{text('options_historyHelp')}</p>
      <div class="row">
        {step === 'asked' ? (
          <>
            <button type="button" id="forget-yes" class="primary" onClick={() => void forget()}>
              {text('options_historyYes')}
            </button>
            <button type="button" onClick={() => setStep('idle')}>
              {text('page_cancel')}
            </button>
          </>
        ) : (
          <button type="button" id="forget-history" onClick={() => setStep('asked')}>
            {text('options_historyForget')}
          </button>
        )}
        <span role="status" id="history-forgotten">
          {step === 'done' && text(kept === 0 ? 'options_historyForgotten' : 'options_historyKept')}
        </span>
      </div>
      {error && <ErrorNotice error={error} />}
    </div>
  );
}
