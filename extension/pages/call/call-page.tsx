import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { isFinished } from '../../../shared/call/call.ts';
import type { JudgedNumber, PanelState, Refusal } from '../../messages.ts';
import type { Settings } from '../../settings.ts';
import { text } from '../../text.ts';
import { neededAddresses } from '../options/draft.ts';
import { AllowNotice } from '../parts/allow-notice.tsx';
import { ConfirmCard, ignoreClicksMs } from '../parts/confirm-card.tsx';
import { ErrorNotice, errorText } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { LiveCall } from '../parts/live-call.tsx';
import { type PageProps, startPage } from '../parts/start-page.tsx';
import { type PlacingActions, usePlaceCall } from '../parts/use-place-call.ts';
import { useReply } from '../parts/use-reply.ts';

/**
 * The target of `tel:` links and the address bar's `call …`. Any page can send a person here, so nothing is dialled without
 * one click on this page, which shows what would be dialled.
 */
export function CallPage({ initial }: PageProps) {
  const input = new URLSearchParams(location.search).get('u')?.slice(0, 200) ?? '';
  const [judged] = useReply('page.judge', { input }, ['settings']);
  const [state] = useReply('page.state', {}, ['calls', 'settings', 'follow']);
  const [settings] = useReply('page.settings', {}, ['settings']);
  const placing = usePlaceCall();
  const [placed, setPlaced] = useState<string>();
  const isShown = useRef(false);

  if (input.trim() === '') return <Shell>{<p>{text('call_nothing')}</p>}</Shell>;
  if (judged.state === 'loading' || state.state === 'loading')
    return (
      <Shell>
        <p class="quiet">{text('page_loading')}</p>
      </Shell>
    );
  const failed = (error: Refusal) => (
    <Shell>
      <ErrorNotice error={error} retry={() => location.reload()} />
    </Shell>
  );
  if (judged.state === 'error') return failed(judged.error);
  if (state.state === 'error') return failed(state.error);
  if (judged.value === null)
    return (
      <Shell>
        <div class="notice notice-bad" role="alert" id="not-a-number">
          <p>{text('call_notANumber', shorten(input))}</p>
        </div>
      </Shell>
    );
  // Until the state has the call that was placed here, its live call may be the one before.
  if (placed !== undefined && state.value.live?.id === placed) isShown.current = true;
  const live = isShown.current ? state.value.live : null;
  if (live)
    return (
      <Shell>
        <p class="visually-hidden" role="status">
          {live.sentence}
        </p>
        <LiveCall entry={live} onAgain={(number) => void placing.dial(number)} />
        {isFinished(live.call) && (
          <button type="button" id="call-close" onClick={() => window.close()}>
            {text('call_close')}
          </button>
        )}
      </Shell>
    );
  return (
    <Shell>
      <Confirm
        number={judged.value}
        input={input}
        panel={state.value}
        settings={settings.state === 'ready' ? settings.value.settings : initial.settings}
        placing={placing}
        isPlaced={placed !== undefined && !isShown.current}
        onPlaced={setPlaced}
      />
    </Shell>
  );
}

interface ConfirmProps {
  number: JudgedNumber;
  input: string;
  panel: PanelState;
  settings: Settings;
  placing: PlacingActions;
  /** The call is placed and not shown yet. */
  isPlaced: boolean;
  onPlaced(id: string): void;
}

function Confirm({
  number,
  input,
  panel,
  settings,
  placing: { placing, dial, confirm, dismiss },
  isPlaced,
  onPlaced,
}: ConfirmProps) {
  const button = useRef<HTMLButtonElement>(null);
  const shownAt = useRef(performance.now());
  useEffect(() => button.current?.focus(), []);
  // Of a doubtful number, the question offers the readings.
  const isAsked = number.verdict === 'confirm' && number.isDoubtful !== true;
  const done = (id: string | undefined) => id !== undefined && onPlaced(id);
  return (
    <>
      <p class="quiet">{text('call_from')}</p>
      <h2 class="big number" id="call-number">
        {number.display}
      </h2>
      {number.place !== undefined && <p id="call-place">{number.place}</p>}
      {number.verdict === 'refuse' ? (
        <p class="notice notice-bad" role="alert" id="not-allowed">
          {number.reason}
        </p>
      ) : (
        <p>
          {panel.from === undefined ? text('call_ringsFirstUnnamed') : text('call_ringsFirst', panel.from)}{' '}
          {text('page_willDial')} <strong class="number">{number.to}</strong>
          {number.extension !== undefined && <>. {text('popup_extensionLater', number.extension)}</>}
        </p>
      )}
      {isAsked && (
        <p class="notice notice-warn" id="call-reason">
          {number.reason}
        </p>
      )}
      <Problem panel={panel} settings={settings} />
      {placing.step === 'refused' && (
        <p class="notice notice-bad" role="alert" id="refused">
          {errorText(placing.error)}
        </p>
      )}
      {placing.step === 'confirm' ? (
        <ConfirmCard
          number={number.display}
          reason={placing.reason}
          readings={placing.readings}
          onConfirm={(reading) => void confirm(reading).then(done)}
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
              isPlaced ||
              placing.step === 'sending' ||
              number.verdict === 'refuse' ||
              panel.problem !== undefined
            }
            onClick={() =>
              performance.now() - shownAt.current >= ignoreClicksMs &&
              void dial(input, isAsked ? { confirmedReason: number.reason } : {}).then(done)
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

/** Why no call can be placed, with the button that helps. */
function Problem({ panel: { problem, problemDetail }, settings }: Pick<ConfirmProps, 'panel' | 'settings'>) {
  if (problem === undefined) return null;
  if (problem === 'noPermission') return <AllowNotice addresses={neededAddresses(settings)} />;
  return (
    <div class="notice notice-warn" id="problem">
      <p>{errorText({ code: problem, detail: problemDetail })}</p>
      <button type="button" id="open-options" onClick={() => void browser.runtime.openOptionsPage()}>
        {text('popup_openSettings')}
      </button>
    </div>
  );
}

function Shell({ children }: { children: ComponentChildren }) {
  return (
    <main class="card stack">
      <h1 class="brand">
        <img src="../../icons/32.png" alt="" width="20" height="20" />
        Dialmark
      </h1>
      {children}
    </main>
  );
}

const shorten = (input: string) => (input.length > 60 ? `${input.slice(0, 60)}…` : input);

await startPage(CallPage, () => text('call_title'));
