import { text } from '../../text.ts';
import { AskedButton } from '../parts/asked-button.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { sendRequest } from '../parts/send-request.ts';
import { useAction } from '../parts/use-action.ts';

/** Adds a number to those that the team must not call. The team's rules say who may remove it. */
export function DoNotCallButton({ id, display }: { id: string; display: string }) {
  const add = useAction(async () => (await sendRequest('page.doNotCall', { display })).error);
  return (
    <>
      <AskedButton
        class="plain do-not-call-button"
        label={text('doNotCall_add')}
        questionId={`do-not-call-${id}`}
        question={text('doNotCall_question', display)}
        yes={text('doNotCall_yes')}
        isRunning={add.isRunning}
        onYes={() => void add.run()}
      />
      {add.error && <ErrorNotice error={add.error} />}
    </>
  );
}
