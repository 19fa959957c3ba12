import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { isFinished } from '../../../shared/call/call.ts';
import { RecordKey } from '../../../shared/record/template.ts';
import { parseJson } from '../../../shared/service/json.ts';
import type { Refusal } from '../../messages/result.ts';
import type { HistoryEntry, JudgedNumber, KnownNumber } from '../../messages/views.ts';
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
import { type CallChoices, type PlacingActions, usePlaceCall } from '../parts/use-place-call.ts';
import { useReply } from '../parts/use-reply.ts';
import { useSettings } from '../parts/use-settings.ts';
import { withNumbers } from '../parts/with-numbers.ts';
import { WrapUpCard } from '../parts/wrap-up.tsx';

/**
 * The target of `tel:` links and the address bar's `call …`. Any page can send a person here, so nothing is dialled
 * without one click on this page, which shows what would be dialled.
 */
function AskedCall({ initial }: PageProps) {
  const input = new URLSearchParams(location.search).get('u')?.slice(0, 200) ?? '';
  const about = RecordKey.safeParse(parseJson(new URLSearchParams(location.search).get('r') ?? '')).data;
  const [judged] = useReply('page.judge', { input }, ['settings']);
  const [state] = useReply('page.state', {}, ['calls', 'settings', 'follow']);
  const [view] = useSettings(initial);
  const placing = usePlaceCall();
  const [placed, setPlaced] = useState<string>();
  const isShown = useRef(false);
  const display = judged.state === 'ready' ? judged.value?.display : undefined;
  const known = useKnownNumbers(display === undefined ? [] : [display])(display ?? '');

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
  // Until the state has the call that was placed here, its live call may be the one before.
  if (placed !== undefined && state.value.live?.id === placed) isShown.current = true;
  // A wrap-up takes longer than the live call is shown.
  const own = state.value.recent.find(({ id }) => id === placed);
  const live = isShown.current ? (state.value.live ?? own) : null;
  if (live)
    return (
      <Placed
        live={live}
        mayHangUp={state.value.follow !== 'wrongKey'}
        onAgain={(number, choices) => void placing.dial(number, choices)}
      />
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
      <Confirm
        number={judged.value}
        known={known}
        input={input}
        from={state.value.from}
        placing={placing}
        about={about}
        isPlaced={placed !== undefined && !isShown.current}
        onPlaced={setPlaced}
      />
    </Shell>
  );
}

interface PlacedProps {
  live: HistoryEntry;
  mayHangUp: boolean;
  onAgain(input: string, choices: CallChoices): void;
}

/** The call that was placed here, and its wrap-up. */
function Placed({ live, mayHangUp, onAgain }: PlacedProps) {
  return (
    <Shell>
      <p class="visually-hidden" role="status">
        {live.sentence}
      </p>
      <LiveCall entry={live} mayHangUp={mayHangUp} onAgain={onAgain} />
      {live.hasWrapUp && <WrapUpCard key={live.id} entry={live} hasKeys />}
      {isFinished(live.call) && <Close />}
    </Shell>
  );
}

interface ConfirmProps {
  number: JudgedNumber;
  known: KnownNumber;
  input: string;
  /** The agent's extension, where it is known. */
  from: string | undefined;
  placing: PlacingActions;
  /** What the call is about. */
  about: RecordKey | undefined;
  /** The call is placed and not shown yet. */
  isPlaced: boolean;
  onPlaced(id: string): void;
}

function Confirm({
  number,
  known,
  input,
  from,
  placing: { placing, dial, confirm, dismiss },
  about,
  isPlaced,
  onPlaced,
}: ConfirmProps) {
  // Of a doubtful number, the question offers the readings.
  const isAsked = number.verdict === 'confirm' && number.isDoubtful !== true;
  const choices = isAsked ? { confirmedReason: number.reason } : {};
  const [isAbout, setIsAbout] = useState(true);
  const done = (id: string | undefined) => id !== undefined && onPlaced(id);
  return (
    <>
      <p class="quiet">{text('call_from')}</p>
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
            // What was refused, or asked, was a call with the other choice.
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
      {placing.step === 'refused' && !placing.error.mayOverride && (
        <div id="refused">
          <ErrorNotice error={placing.error} />
        </div>
      )}
      {placing.step === 'refused' && placing.error.mayOverride ? (
        <OverrideCard placing={placing} number={number.display} onPlaced={done} onCancel={dismiss} />
      ) : placing.step === 'confirm' ? (
        <ConfirmCard
          number={number.display}
          reason={placing.reason}
          readings={placing.readings}
          onConfirm={(reading) => void confirm(reading).then(done)}
          onCancel={dismiss}
        />
      ) : (
        <div class="row">
          <DeliberateButton
            class="primary big-button"
            id="call-button"
            isFocused
            disabled={isPlaced || placing.step === 'sending'}
            onPress={() => void dial(input, { ...choices, record: isAbout ? about : null }).then(done)}
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

const Failed = ({ error }: { error: Refusal }) => (
  <Shell>
    <ErrorNotice error={error} retry={() => location.reload()} />
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
