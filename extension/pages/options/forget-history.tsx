import { useState } from 'preact/hooks';
import type { PageReply } from '../../messages/pages.ts';
import type { Result } from '../../messages/result.ts';
import { text } from '../../text.ts';
import { AskedButton } from '../parts/asked-button.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { sendRequest } from '../parts/send-request.ts';

/** Removes this browser's calls and notes, after one question. The relay keeps its own; calls in progress stay. */
export function ForgetHistory() {
  const [reply, setReply] = useState<Result<PageReply<'page.forgetHistory'>>>();
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
        onYes={() => void sendRequest('page.forgetHistory', {}).then(setReply)}
      />
      <p role="status" id="history-forgotten">
        {reply?.ok && text('options_historyKept')}
      </p>
      {reply?.error && <ErrorNotice error={reply.error} />}
    </div>
  );
}
