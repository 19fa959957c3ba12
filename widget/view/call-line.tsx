import { h } from 'preact';
import type { Call } from '../../shared/call/call.ts';
import { outcomeOf } from '../../shared/call/outcome.ts';
import { formatNumber } from '../dial/phone-number.ts';
import { isLive } from '../session/call-list.ts';
import { formatDuration, formatTime, interpolate, sanitizeText } from './format.ts';
import { adviceFor, enderOf, outcomeText } from './outcome.ts';
import type { ViewModel } from './view-model.ts';

interface Props {
  call: Call;
  model: ViewModel;
}

/**
 * The called number, formatted, in its own text direction. If there is little space, it breaks only between its groups.
 */
export function CalleeNumber({ call: { to }, model }: Props) {
  return (
    <bdi part="number">
      {/^\d{1,32}$/.test(to)
        ? formatNumber(to, model.region)
            .split(/( )/)
            .map((part) => (part === ' ' ? part : h('span', null, part)))
        : sanitizeText(to)}
    </bdi>
  );
}

/** What is known of the call, in one sentence. */
export function Sentence({ call, model }: Props) {
  return (
    <>
      {interpolate(
        model.language.texts[outcomeText(call)],
        isLive(call) ? <CalleeNumber call={call} model={model} /> : formatDuration(call.talkSeconds),
      )}
    </>
  );
}

/**
 * The clock of a live call, or the time of day of a finished call. The clock starts at the reported answer, else at the
 * click, whose time is always known.
 */
export function CallTime({ call, model: { language, now } }: Props) {
  const { createdAt, connectedAt } = call;
  return isLive(call) ? (
    <span part="clock" role="timer" aria-label={language.texts[connectedAt ? 'talkTime' : 'totalTime']}>
      {formatDuration((now - Date.parse(connectedAt ?? createdAt)) / 1000)}
    </span>
  ) : (
    <time>{formatTime(language, call.createdAt, now)}</time>
  );
}

/** The newest call in large type, with what is known of it and what to do. */
export function CurrentCall({ call, model }: Props) {
  const { language, connection, compact } = model;
  const live = isLive(call);
  const isTalking = call.state === 'connected';
  const hint = !live
    ? (adviceFor(call) ?? enderOf(call))
    : model.hangUpFault === call.id
      ? 'mayGoOn'
      : !compact && !isTalking && connection.name === 'open' && !call.canHangUp && 'wait';
  return (
    <div part="call" data-state={call.state} data-outcome={outcomeOf(call)}>
      <i aria-hidden="true" />
      <div>
        {/* Without the clock: a screen reader would read it every second. */}
        <p part="state" role="status">
          <Sentence call={call} model={model} />
        </p>
        {(!live || isTalking) && (
          <p class="note">
            <CalleeNumber call={call} model={model} />
          </p>
        )}
        {hint && (
          <p class="note" role={hint === 'mayGoOn' ? 'alert' : undefined}>
            {language.texts[hint]}
          </p>
        )}
      </div>
      <CallTime call={call} model={model} />
      {call.canHangUp && model.mayHangUp && (
        <button type="button" part="hang-up" onClick={() => model.onHangUp(call)}>
          {language.texts.hangUp}
        </button>
      )}
    </div>
  );
}
