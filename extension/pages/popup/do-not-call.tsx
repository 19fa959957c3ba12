import { text } from '../../text.ts';
import { AskedButton } from '../parts/asked-button.tsx';
import { sendRequest } from '../parts/send-request.ts';

/** Adds a number to those that the team must not call. The team's rules say who may remove it. */
export const DoNotCallButton = ({ id, display }: { id: string; display: string }) => (
  <AskedButton
    class="plain do-not-call-button"
    label={text('doNotCall_add')}
    questionId={`do-not-call-${id}`}
    question={text('doNotCall_question', display)}
    yes={text('doNotCall_yes')}
    onYes={async () => (await sendRequest('page.doNotCall', { display })).error}
  />
);
