import { useState } from 'preact/hooks';
import type { Refusal } from '../../messages/result.ts';
import { text } from '../../text.ts';
import { DestructiveQuestion } from '../parts/destructive-question.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { sendRequest } from '../parts/send-request.ts';

/** Removes this browser's calls and notes, after one question. The relay's history stays, as does a call in progress. */
export function ForgetHistory() {
  const [step, setStep] = useState<'idle' | 'asked' | 'done'>('idle');
  const [kept, setKept] = useState(0);
  const [error, setError] = useState<Refusal>();

  async function forget() {
    const reply = await sendRequest('page.forgetHistory', {});
    setError(reply.error);
    if (reply.ok) setKept(reply.value.kept);
    setStep(reply.ok ? 'done' : 'idle');
  }

  return (
    <div class="field">
      <h3>{text('options_history')}</h3>
      <p class="help">{text('options_historyHelp')}</p>
      <div class="row">
        <button
          type="button"
          id="forget-history"
          aria-expanded={step === 'asked'}
          onClick={() => setStep(step === 'asked' ? 'idle' : 'asked')}
        >
          {text('options_historyForget')}
        </button>
        <span role="status" id="history-forgotten">
          {step === 'done' && text(kept === 0 ? 'options_historyForgotten' : 'options_historyKept')}
        </span>
      </div>
      {step === 'asked' && (
        <DestructiveQuestion
          id="forget"
          question={text('options_historyQuestion')}
          yes={text('options_historyYes')}
          onYes={() => void forget()}
          onNo={() => setStep('idle')}
        />
      )}
      {error && <ErrorNotice error={error} />}
    </div>
  );
}
