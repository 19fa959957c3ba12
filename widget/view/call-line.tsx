import type { Call } from '../../shared/call/call.ts';
import { formatNumber } from '../dial/format-number.ts';
import { isLive } from '../follow/known-calls.ts';
import { adviceFor, outcomeOf } from './outcome.ts';
import { plainText } from './plain-text.ts';
import { clock, moment, say } from './say.ts';
import type { ViewModel } from './view-model.ts';

interface Props {
  call: Call;
  model: ViewModel;
}

/** The other side's number, as people write it, in its own direction. */
export function Callee({ call: { to }, model }: Props) {
  return <bdi part="number">{/^\d{1,32}$/.test(to) ? formatNumber(to, model.region) : plainText(to)}</bdi>;
}

/** What is known of the call, in one sentence. */
export function Sentence({ call, model }: Props) {
  return (
    <>
      {say(
        model.language.words[outcomeOf(call)],
        isLive(call) ? <Callee call={call} model={model} /> : clock(call.talkSeconds),
      )}
    </>
  );
}

/** A live call's clock counts from the click, which is the one time that is always known; one that is over has its time of day. */
export function Time({ call: { state, createdAt }, model: { language, now } }: Props) {
  return state === 'initiating' || state === 'callingCaller' ? (
    <span part="clock" role="timer" aria-label={language.words.totalTime}>
      {clock((now - Date.parse(createdAt)) / 1000)}
    </span>
  ) : (
    <time>{moment(language, createdAt, now)}</time>
  );
}

/** The newest call: large, with what is known and what is not. */
export function CurrentCall({ call, model }: Props) {
  const { language, connection, compact } = model;
  const live = isLive(call);
  const hint = live ? !compact && connection.name === 'open' && 'wait' : adviceFor(call);
  return (
    <div part="call" data-state={call.state} data-outcome={outcomeOf(call)}>
      <i aria-hidden="true" />
      <div>
        {/* The clock stands outside: a screen reader would read every second. */}
        <p part="state" role="status">
          <Sentence call={call} model={model} />
        </p>
        {!live && (
          <p class="note">
            <Callee call={call} model={model} />
          </p>
        )}
        {hint && <p class="note">{language.words[hint]}</p>}
      </div>
      <Time call={call} model={model} />
    </div>
  );
}
