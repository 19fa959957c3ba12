import { useState } from 'preact/hooks';
import { text } from '../../text.ts';
import { AskedButton } from '../parts/asked-button.tsx';
import { sendRequest } from '../parts/send-request.ts';

/** Removes this browser's calls and notes, after one question. The relay keeps its own; calls in progress stay. */
export function ForgetHistory() {
  const [isForgotten, setForgotten] = useState(false);
  return (
    <div class="field">
      <h3>{text('options_history')}</h3>
      <p class="help">{text('options_historyHelp')}</p>
      <AskedButton
        id="forget-history"
        label={text('options_historyForget')}
        questionId="forget"
        question={text('options_historyQuestion')}
        yes={text('options_historyYes')}
        onYes={async () => {
          const { ok, error } = await sendRequest('page.forgetHistory', {});
          setForgotten(ok);
          return error;
        }}
      />
      <p role="status" id="history-forgotten">
        {isForgotten && text('options_historyKept')}
      </p>
    </div>
  );
}
