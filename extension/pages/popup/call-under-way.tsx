import { isFinished } from '../../../shared/call/call.ts';
import type { PanelState } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { LiveCall } from '../parts/live-call.tsx';
import type { CallChoices } from '../parts/use-place-call.ts';

interface Props {
  panel: PanelState;
  onAgain(input: string, choices: CallChoices): void;
}

/** The call that is under way or has just ended, for eyes and ears, and whether its end will be heard of. */
export function CallUnderWay({ panel: { problem, live, follow }, onAgain }: Props) {
  return (
    <>
      {problem === undefined && isAwaited(live) && <FollowNotice follow={follow} />}
      <p class="visually-hidden" role="status">
        {live && `${live.display}: ${live.sentence}`}
      </p>
      {live && <LiveCall entry={live} mayHangUp={follow !== 'wrongKey'} onAgain={onAgain} />}
    </>
  );
}

/** A call that is over, or whose outcome is unknown, says itself what became of it. */
const isAwaited = (live: PanelState['live']) => live === null || !isFinished(live.call);

/** The state of the stream that reports the ends of calls, where it is broken. */
function FollowNotice({ follow }: { follow: PanelState['follow'] }) {
  if (follow !== 'offline') return null;
  return (
    <p class="notice notice-warn" role="status" id="follow">
      {text('popup_followOffline')}
    </p>
  );
}
