import { useEffect, useState } from 'preact/hooks';
import { isFinished } from '../../../shared/call/call.ts';
import { outcomeOf } from '../../../shared/call/outcome.ts';
import { clock } from '../../clock.ts';
import type { HistoryEntry } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { DeliberateButton } from './deliberate-button.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { Icon } from './icon.tsx';
import { CalleeName } from './known-number.tsx';
import { redialChoices, redialInput } from './redial-input.ts';
import { sendRequest } from './send-request.ts';
import { withNumbers } from './unbroken-numbers.ts';
import { useAction } from './use-action.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import type { CallChoices } from './use-place-call.ts';

interface Props {
  entry: HistoryEntry;
  /** False if the relay does not accept the key. Then it would refuse to hang up, too. */
  mayHangUp?: boolean;
  onAgain(input: string, choices: CallChoices): void;
}

/**
 * The call in progress, or the call that has just ended. If the service reports nothing between "Trying" and the end,
 * this shows who rings first and next. If it does, this shows who rings now, and since when the two talk.
 */
export function LiveCall({ entry, mayHangUp = true, onAgain }: Props) {
  const { call } = entry;
  const over = isFinished(call);
  const card = useKeptFocus<HTMLElement>('h2');
  const again = callAgainClass(entry);
  const now = useNow(!over);
  const isConnected = call.state === 'connected';
  const since = Date.parse((isConnected && call.connectedAt) || call.createdAt);
  return (
    <section
      id="live-call"
      ref={card}
      data-id={entry.call.id}
      class={`card live live-${call.state}`}
      data-state={call.state}
      data-reason={call.reason}
      aria-label={text('popup_liveCall')}
    >
      <div class="live-head">
        <h2 tabIndex={-1}>
          <CalleeName display={entry.display} name={entry.name} />
        </h2>
        {!over && (
          <span
            class="clock number"
            role="timer"
            aria-label={text(isConnected ? 'popup_sinceAnswer' : 'popup_sinceClick')}
          >
            {clock((now - since) / 1000)}
          </span>
        )}
      </div>
      {(call.state === 'initiating' || call.state === 'callingCaller') && (
        <ol class="legs">
          <li class="leg-now">{text('popup_legYou', call.from)}</li>
          <li>{withNumbers(text('popup_legThem', entry.display))}</li>
        </ol>
      )}
      <p class="sentence">{withNumbers(entry.sentence)}</p>
      {!over && entry.followed === 'none' && <p class="quiet small">{text('state_unknown_notFollowed')}</p>}
      {entry.extension !== undefined && <p class="extension">{text('content_extension', entry.extension)}</p>}
      {call.canHangUp && mayHangUp && <HangUp id={entry.id} />}
      {again !== undefined && (
        <DeliberateButton
          id="call-again"
          class={again}
          onPress={() => onAgain(redialInput(entry), redialChoices(entry))}
        >
          <Icon name="again" />
          {text('popup_callAgain')}
        </DeliberateButton>
      )}
    </section>
  );
}

/**
 * The class of the button that calls again. It is undefined if the number was called, or if a second try would be
 * refused as well. After an unknown outcome the phone may still ring. So calling again is not the main button.
 */
function callAgainClass({ call, failure }: HistoryEntry): 'primary' | '' | undefined {
  const outcome = outcomeOf(call);
  if (outcome === 'mayHaveRung' || outcome === 'unknown') return '';
  if (outcome === 'callerNotReached') return 'primary';
  const isRefused = failure !== undefined && failure !== 'relayUnreachable';
  return outcome === 'notPlaced' && !isRefused ? 'primary' : undefined;
}

function HangUp({ id }: { id: string }) {
  const hangUp = useAction(async () => (await sendRequest('page.hangUp', { id })).error);
  return (
    <>
      <DeliberateButton id="hang-up" aria-disabled={hangUp.isRunning} onPress={() => void hangUp.run()}>
        {text('page_hangUp')}
      </DeliberateButton>
      {hangUp.error && <ErrorNotice error={hangUp.error} />}
    </>
  );
}

/** The time, updated every second while `isRunning`. */
function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
