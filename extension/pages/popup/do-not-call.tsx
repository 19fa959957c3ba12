import { useState } from 'preact/hooks';
import type { Refusal } from '../../messages/result.ts';
import { text } from '../../text.ts';
import { AskedButton } from '../parts/asked-button.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { sendRequest } from '../parts/send-request.ts';

/** Lists a number among those that the team must not call. The team's rules say who takes it off again. */
export function DoNotCallButton({ id, display }: { id: string; display: string }) {
  const [error, setError] = useState<Refusal>();
  const add = async () => {
    const reply = await sendRequest('page.doNotCall', { display });
    setError(reply.error);
  };
  return (
    <>
      <AskedButton
        class="plain do-not-call-button"
        label={text('doNotCall_add')}
        questionId={`do-not-call-${id}`}
        question={text('doNotCall_question', display)}
        yes={text('doNotCall_yes')}
        onYes={() => void add()}
      />
      {error && <ErrorNotice error={error} />}
    </>
  );
}
