import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { isFinished } from '../../../shared/call/call.ts';
import { type AskedNumber, readAsked } from '../../asked-number.ts';
import type { Refusal } from '../../messages/result.ts';
import type { HistoryEntry, JudgedNumber, KnownNumber, PanelState } from '../../messages/views.ts';
import { recordLabel } from '../../record-label.ts';
import { text } from '../../text.ts';
import { CallHindrance } from '../parts/call-hindrance.tsx';
import { ConfirmCard, OverrideCard } from '../parts/confirm-card.tsx';
import { DeliberateButton } from '../parts/deliberate-button.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Button } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { isForbidden, KnownFacts, useKnownNumbers } from '../parts/known-number.tsx';
import { LiveCall } from '../parts/live-call.tsx';
import { PageRecord } from '../parts/page-record.tsx';
import { type PageProps, startPage } from '../parts/start-page.tsx';
import { withNumbers } from '../parts/unbroken-numbers.ts';
import { type CallChoices, type PlacingActions, usePlaceCall } from '../parts/use-place-call.ts';
import { useReply } from '../parts/use-reply.ts';
import { useSettings } from '../parts/use-settings.ts';
import { WrapUpCard } from '../parts/wrap-up.tsx';

/**
 * The page that `tel:` links and the address bar's `call …` open. Any page can send a person here. So nothing is
 * dialled without a click on this page, which shows what would be dialled.
 */
function AskedCall({ initial }: PageProps) {
  const asked = useMemo(() => readAsked(location.search), []);
  const { input, onPage } = asked;
  const [judged] = useReply('page.judge', { input, onPage }, ['settings']);
  const [state, , readAgain] = useReply('page.state', {}, ['calls', 'settings', 'follow']);
  const [view] = useSettings(initial);
  const actions = usePlaceCall();
  const placedCall = useRef<HistoryEntry | undefined>(undefined);
  const display = judged.state === 'ready' ? judged.value?.display : undefined;
  const known = useKnownNumbers(display === undefined ? [] : [display])(display ?? '');

  const { placing } = actions;
  // After a second call from here, the earlier call stays until the state has the new one.
  const placed = placing.step === 'placed' ? placing.id : placedCall.current?.id;
  const panel = state.state === 'ready' ? state.value : undefined;
  // An agent needs the wrap-up longer than the live call is shown.
  const own = placed === undefined ? undefined : callOf(placed, panel);
  if (own) placedCall.current = own;
  // If the state cannot be read later, the call stays, with what the agent is typing.
  if (placedCall.current)
    return (
      <Placed call={placedCall.current} mayHangUp={panel?.follow !== 'wrongKey'} actions={actions}>
        {state.state === 'error' && <ErrorNotice error={state.error} />}
      </Placed>
    );
  // The call is placed. A page that is loaded again would offer to place another one.
  if (placed !== undefined && state.state === 'error')
    return <Failed error={state.error} retry={() => void readAgain()} />;
  if (input.trim() === '')
    return (
      <Shell>
        <p>{text('call_nothing')}</p>
        <Close />
      </Shell>
    );
  if (judged.state === 'loading' || state.state === 'loading')
    return (
      <Shell>
        <p class="quiet">{text('page_loading')}</p>
      </Shell>
    );
  if (judged.state === 'error') return <Failed error={judged.error} />;
  if (state.state === 'error') return <Failed error={state.error} />;
  if (judged.value === null)
    return (
      <Shell>
        <div class="notice notice-bad" role="alert" id="not-a-number">
          <p>{text('call_notANumber', shorten(input))}</p>
        </div>
        <Close />
      </Shell>
    );
  const ofTeam = isForbidden(known) ? known.refusal : undefined;
  const refusal = judged.value.verdict === 'refuse' ? judged.value.reason : ofTeam;
  if (refusal !== undefined || state.value.problem !== undefined)
    return (
      <Shell>
        <CalledNumber number={judged.value} name={known.name} />
        {refusal === undefined ? (
          <CallHindrance panel={state.value} view={view} />
        ) : (
          <p class="notice notice-bad" role="alert" id="not-allowed">
            {withNumbers(refusal)}
          </p>
        )}
        <Close />
      </Shell>
    );
  return (
    <Shell>
      <Confirm number={judged.value} known={known} asked={asked} from={state.value.from} actions={actions} />
    </Shell>
  );
}

const callOf = (placed: string, panel: PanelState | undefined): HistoryEntry | undefined =>
  panel?.live?.id === placed ? panel.live : panel?.recent.find(({ id }) => id === placed);

interface PlacedProps {
  call: HistoryEntry;
  mayHangUp: boolean;
  actions: PlacingActions;
  /** Why the shown state of the call may be old. */
  children: ComponentChildren;
}

/** The call that was placed on this page, and its wrap-up. */
function Placed({ call, mayHangUp, actions, children }: PlacedProps) {
  return (
    <Shell>
      {children}
      <p class="visually-hidden" role="status">
        {call.sentence}
      </p>
      <LiveCall
        entry={call}
        mayHangUp={mayHangUp}
        onAgain={(number, choices) => void actions.dial(number, choices)}
      />
      <QuestionOrRefusal number={call.display} actions={actions} />
      {call.hasWrapUp && <WrapUpCard key={call.id} entry={call} hasKeys />}
      {isFinished(call.call) && <Close />}
    </Shell>
  );
}

interface QuestionOrRefusalProps {
  number: string;
  actions: PlacingActions;
}

/** The question before the call, or the reason why it was not placed. */
function QuestionOrRefusal({ number, actions: { placing, confirm, dismiss } }: QuestionOrRefusalProps) {
  if (placing.step === 'confirm')
    return (
      <ConfirmCard
        number={number}
        reason={placing.reason}
        readings={placing.readings}
        record={placing.choices.record}
        onConfirm={(reading) => void confirm(reading)}
        onCancel={dismiss}
      />
    );
  if (placing.step !== 'refused') return null;
  if (placing.error.mayOverride) return <OverrideCard placing={placing} number={number} onCancel={dismiss} />;
  return (
    <div id="refused">
      <ErrorNotice error={placing.error} />
    </div>
  );
}

interface ConfirmProps {
  number: JudgedNumber;
  known: KnownNumber;
  asked: AskedNumber;
  /** The agent's extension, if it is known. */
  from: string | undefined;
  actions: PlacingActions;
}

function Confirm({ number, known, asked, from, actions }: ConfirmProps) {
  const { placing, dial, dismiss } = actions;
  const { input, onPage, name, record: about } = asked;
  // A number of a doubtful country gets its own question, which offers the readings.
  const isAsked = number.verdict === 'confirm' && number.isDoubtful !== true;
  const [isAbout, setIsAbout] = useState(true);
  const choices: CallChoices = {
    ...(isAsked && { confirmedReason: number.reason }),
    ...(onPage && { onPage }),
    // An answer in another window may since have changed the reading of a number whose country is doubtful.
    shown: { display: number.display, to: number.to },
    ...(name !== undefined && { name }),
    record: isAbout ? about : null,
  };
  const isCalling = placing.step === 'placed' || placing.step === 'sending';
  const mayCall = placing.step !== 'confirm' && !(placing.step === 'refused' && placing.error.mayOverride);
  return (
    <>
      <p class="quiet" id="call-from">
        {/* The agent has already chosen this number on a marked page. */}
        {!onPage && `${text('call_from')} `}
        {text('call_untilClick')}
      </p>
      <CalledNumber number={number} name={known.name} />
      <p class="small">
        <KnownFacts known={known} />
      </p>
      {about && (
        <PageRecord
          shown={{ record: about, label: recordLabel(about) }}
          isUsed={isAbout}
          onUse={(isUsed) => {
            setIsAbout(isUsed);
            // The refusal or the question was about a call with the other choice.
            dismiss();
          }}
        />
      )}
      <p>
        {from === undefined ? text('content_ringsFirst') : `${text('popup_legYou', from)}.`}{' '}
        {text('page_willDial')} <strong class="number">{number.to}</strong>.{' '}
        {number.extension !== undefined && text('content_extension', number.extension)}
      </p>
      {isAsked && (
        <p class="notice notice-warn" id="call-reason">
          {withNumbers(number.reason)}
        </p>
      )}
      <QuestionOrRefusal number={number.display} actions={actions} />
      {mayCall && (
        <div class="row">
          <DeliberateButton
            class="primary big-button"
            id="call-button"
            isFocused
            // Not disabled, which would take the focus from an agent who works by keyboard.
            aria-disabled={isCalling}
            onPress={() => isCalling || void dial(input, choices)}
          >
            <Icon name="phone" />
            <span>{withNumbers(text('page_callNumber', number.display))}</span>
          </DeliberateButton>
          <Button id="call-cancel" label={text('page_cancel')} onClick={() => window.close()} />
        </div>
      )}
    </>
  );
}

function CalledNumber(props: { number: JudgedNumber; name: string | undefined }) {
  const { display, place } = props.number;
  return (
    <>
      {props.name !== undefined && (
        <p class="callee-name" id="call-name">
          <bdi>{props.name}</bdi>
        </p>
      )}
      <h2 class="big number" id="call-number">
        {display}
      </h2>
      {place !== undefined && <p id="call-place">{place}</p>}
    </>
  );
}

const Failed = ({ error, retry = () => location.reload() }: { error: Refusal; retry?: () => void }) => (
  <Shell>
    <ErrorNotice error={error} retry={retry} />
    <Close />
  </Shell>
);

const Close = () => <Button id="call-close" label={text('page_close')} onClick={() => window.close()} />;

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

await startPage(AskedCall, () => text('call_title'));
