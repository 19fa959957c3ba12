import { isFinished } from '../../../shared/call/call.ts';
import type { PanelState } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { LiveCall } from '../parts/live-call.tsx';
import type { CallChoices } from '../parts/use-place-call.ts';

interface Props {
  panel: PanelState;
  onAgain(input: string, choices: CallChoices): void;
}

/**
 * The call in progress or the one that has just ended, on the screen and for screen readers. It also says if the call's
 * end cannot be reported.
 */
export function CallUnderWay({ panel: { problem, live, follow }, onAgain }: Props) {
  // Whether the stream that reports the ends of calls is broken. A finished call shows its own outcome.
  const isAwaited = live === null || !isFinished(live.call);
  const isEndDelayed = problem === undefined && isAwaited && follow === 'offline';
  return (
    <>
      {isEndDelayed && (
        <p class="notice notice-warn" role="status" id="follow">
          {text('popup_followOffline')}
        </p>
      )}
      <p class="visually-hidden" role="status">
        {live && `${live.display}: ${live.sentence}`}
      </p>
      {live && <LiveCall entry={live} mayHangUp={follow !== 'wrongKey'} onAgain={onAgain} />}
    </>
  );
}
