import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { JudgedNumber, PanelState, Refusal } from '../../messages.ts';
import { text } from '../../text.ts';
import { ConfirmCard } from '../parts/confirm-card.tsx';
import { errorText } from '../parts/error-text.ts';
import { Failure } from '../parts/failure.tsx';
import { Icon } from '../parts/icon.tsx';
import { LiveCall } from '../parts/live-call.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { type PlacingActions, usePlaceCall } from '../parts/use-place-call.ts';

/** Clicks this soon after the page appeared were meant for the page that opened it. */
const deafMilliseconds = 300;

/**
 * Where `tel:` links and the address bar's `call …` end up. Any page can send a person here, so nothing is dialled without
 * one click on this page, which shows what the number means.
 */
export function CallPage() {
  const input = new URLSearchParams(location.search).get('u')?.slice(0, 200) ?? '';
  const [judged] = useAnswer('page.judge', { input }, ['settings']);
  const [state] = useAnswer('page.state', {}, ['calls', 'settings', 'follow']);
  const placing = usePlaceCall();
  const [placed, setPlaced] = useState<string>();
  const seen = useRef(false);

  if (input.trim() === '') return <Shell>{<p>{text('call_nothing')}</p>}</Shell>;
  if (judged.state === 'loading' || state.state === 'loading')
    return (
      <Shell>
        <p class="quiet">{text('page_loading')}</p>
      </Shell>
    );
  const error: Refusal | undefined =
    judged.state === 'error' ? judged.error : state.state === 'error' ? state.error : undefined;
  if (error || judged.state === 'error' || state.state === 'error')
    return (
      <Shell>
        <Failure error={error ?? { code: 'internal' }} retry={() => location.reload()} />
      </Shell>
    );
  if (judged.value === null)
    return (
      <Shell>
        <div class="notice notice-bad" role="alert" id="not-a-number">
          <p>{text('call_notANumber', shorten(input))}</p>
        </div>
      </Shell>
    );
  // Until the state tells of the call that was placed here, its live one may be the call before.
  if (placed !== undefined && state.value.live?.id === placed) seen.current = true;
  const live = seen.current ? state.value.live : null;
  if (live)
    return (
      <Shell>
        <p class="visually-hidden" role="status">
          {live.sentence}
        </p>
        <LiveCall entry={live} onAgain={(number) => void placing.dial(number)} />
      </Shell>
    );
  return (
    <Shell>
      <Confirm
        number={judged.value}
        input={input}
        panel={state.value}
        placing={placing}
        placed={placed !== undefined && !seen.current}
        onPlaced={setPlaced}
      />
    </Shell>
  );
}

interface ConfirmProps {
  number: JudgedNumber;
  input: string;
  panel: PanelState;
  placing: PlacingActions;
  /** The call is placed and not shown yet. */
  placed: boolean;
  onPlaced(id: string): void;
}

function Confirm({
  number,
  input,
  panel,
  placing: { placing, dial, confirm, dismiss },
  placed,
  onPlaced,
}: ConfirmProps) {
  const button = useRef<HTMLButtonElement>(null);
  const shownAt = useRef(performance.now());
  useEffect(() => button.current?.focus(), []);
  const done = (id: string | undefined) => {
    if (id !== undefined) onPlaced(id);
  };
  return (
    <>
      <p class="quiet">{text('call_from')}</p>
      <h1 class="big number" id="call-number">
        {number.display}
      </h1>
      <p>
        {panel.from === undefined ? text('call_ringsFirstUnnamed') : text('call_ringsFirst', panel.from)}{' '}
        {text('page_willDial')} <strong class="number">{number.to}</strong>
        {number.extension !== undefined && <>. {text('popup_extensionLater', number.extension)}</>}
      </p>
      {number.verdict === 'refuse' && (
        <p class="notice notice-bad" role="alert">
          {number.reason}
        </p>
      )}
      {panel.problem && (
        <Failure
          error={{
            code: panel.problem,
            ...(panel.problemDetail === undefined ? {} : { detail: panel.problemDetail }),
          }}
        />
      )}
      {placing.step === 'refused' && (
        <p class="notice notice-bad" role="alert" id="refused">
          {errorText(placing.error)}
        </p>
      )}
      {placing.step === 'confirm' ? (
        <ConfirmCard
          number={number.display}
          reason={placing.reason}
          onConfirm={() => void confirm().then(done)}
          onCancel={dismiss}
        />
      ) : (
        <div class="row">
          <button
            type="button"
            class="primary big-button"
            id="call-button"
            ref={button}
            disabled={
              placed ||
              placing.step === 'asking' ||
              number.verdict === 'refuse' ||
              panel.problem !== undefined
            }
            onClick={() =>
              performance.now() - shownAt.current >= deafMilliseconds && void dial(input).then(done)
            }
          >
            <Icon name="phone" />
            {text('call_button', number.display)}
          </button>
          <button type="button" id="call-cancel" onClick={() => window.close()}>
            {text('page_cancel')}
          </button>
        </div>
      )}
    </>
  );
}

function Shell({ children }: { children: ComponentChildren }) {
  return <main class="card stack">{children}</main>;
}

const shorten = (input: string) => (input.length > 60 ? `${input.slice(0, 60)}…` : input);
