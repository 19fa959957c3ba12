import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { isFinished } from '../../../shared/call/call.ts';
import { lastPlaced } from '../../../shared/call/outcome.ts';
import { errorText } from '../../error-text.ts';
import type { Refusal } from '../../messages/result.ts';
import type { OfferedReading, PanelState, SettingsView } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { CallHindrance } from '../parts/call-hindrance.tsx';
import { ConfirmCard, OverrideCard } from '../parts/confirm-card.tsx';
import { ErrorNotice, SetupCodeButton } from '../parts/error-notice.tsx';
import { Button, IconButton } from '../parts/form.tsx';
import { isLocked } from '../parts/is-locked.ts';
import { openSettings } from '../parts/open-settings.ts';
import { PageRecord } from '../parts/page-record.tsx';
import { type PageProps, startPage } from '../parts/start-page.tsx';
import { withNumbers } from '../parts/unbroken-numbers.ts';
import { useFocusReturn } from '../parts/use-focus-return.ts';
import { usePassFocusOn } from '../parts/use-pass-focus-on.ts';
import { type CallChoices, type Placing, usePlaceCall } from '../parts/use-place-call.ts';
import { useLastRead, useReply } from '../parts/use-reply.ts';
import { useAppearance, useSettings } from '../parts/use-settings.ts';
import { WrapUpCard } from '../parts/wrap-up.tsx';
import { lastWrapUp } from '../parts/wrap-up-form.ts';
import { CallUnderWay } from './call-under-way.tsx';
import { Callbacks } from './callbacks.tsx';
import { DialField } from './dial-field.tsx';
import { FramesOnPage } from './frames-on-page.tsx';
import { MissingShortcuts } from './missing-shortcuts.tsx';
import { MyDay } from './my-day.tsx';
import { NumbersOnPage } from './numbers-on-page.tsx';
import { RecentCalls } from './recent-calls.tsx';
import { RecordsToChoose } from './records-to-choose.tsx';
import { CallSheets } from './sheets.tsx';
import { SiteBar } from './site-bar.tsx';
import { useNextCall } from './use-next-call.ts';

/** Popup, Chrome's side panel and Firefox's sidebar: one page, 320 to 480 px wide. */
function Popup({ initial }: PageProps) {
  const [view] = useSettings(initial);
  const [state, , reload] = useReply('page.state', {}, ['calls', 'settings', 'tab', 'follow']);
  useAppearance(view.settings.appearance);
  // After a failure the last state stays, with what the agent is typing.
  const panel = useLastRead(state).current;

  const failure = state.state === 'error' && <StateUnread error={state.error} retry={() => void reload()} />;
  if (!panel)
    return (
      <main>
        <h1 class="visually-hidden">Dialmark</h1>
        {failure || <p class="loading">{text('page_loading')}</p>}
      </main>
    );
  return <Panel panel={panel} settings={view} failure={failure} />;
}

/** Says that the background did not reply. The focus of its button goes to the dial field below. */
function StateUnread(props: { error: Refusal; retry(): void }) {
  const notice = usePassFocusOn<HTMLDivElement>('input', 'dial-input');
  return (
    <div ref={notice}>
      <ErrorNotice {...props} />
    </div>
  );
}

interface PanelProps {
  panel: PanelState;
  settings: PageProps['initial'];
  failure: ComponentChildren;
}

function Panel({ panel, settings, failure }: PanelProps) {
  const { input, callback, setField, shown, leftOut, setLeftOut, recordFor, ...next } = useNextCall(panel);
  const { placing, dial, confirm, dismiss } = usePlaceCall(next.onPlaced);
  const last = lastWrapUp(panel.recent, Date.now());
  const isPlacing = useIsPlacing(placing, panel.recent);
  const busy = isPlacing || (panel.live !== null && !isFinished(panel.live.call));
  const mayNotDial = busy || panel.problem !== undefined;

  return (
    <>
      <Header from={panel.from} />
      <main class="stack">
        <CallHindrance panel={panel} view={settings} />
        {failure}
        <DialField
          input={input}
          onInput={(typed) => {
            setField({ input: typed });
            // The refusal or the question was about another number.
            dismiss();
          }}
          settings={settings.settings}
          disabled={mayNotDial}
          leavesKeys={last !== undefined && last.call.wrapUp?.outcome === undefined ? last.id : undefined}
          sending={placing.step === 'sending' ? placing.input : undefined}
          choices={next.choices}
          onChoices={(choices) => {
            next.setChoices(choices);
            // The question is removed: its yes would send the earlier choices.
            dismiss();
          }}
          onDial={(number, choices) =>
            void dial(number, {
              ...(callback?.name !== undefined && { name: callback.name }),
              ...choices,
              record: recordFor(shown),
            })
          }
        />
        {shown && (
          <PageRecord
            shown={shown}
            isUsed={shown.label !== leftOut}
            onUse={(isUsed) => {
              setLeftOut(isUsed ? undefined : shown.label);
              // The refusal or the question was about a call with the other choice.
              dismiss();
            }}
          />
        )}
        <PlacingAnswer placing={placing} panel={panel} onConfirm={confirm} onClose={dismiss} />
        <CallUnderWay panel={panel} onAgain={dial} />
        {last && <WrapUpCard key={last.id} entry={last} hasKeys />}
        <RecordsToChoose entries={panel.recordsToChoose.filter(({ id }) => id !== last?.id)} />
        <CallSheets last={lastPlaced(panel.recent)} isBusy={busy} disabled={mayNotDial} onDial={dial} />
        <Callbacks
          disabled={mayNotDial}
          onDial={dial}
          onFill={(callback) => {
            setField({ input: callback.call.to, callback });
            dismiss();
          }}
        />
        <CurrentTab
          tab={panel.tab}
          view={settings}
          disabled={busy}
          onDial={(number, choices) =>
            void dial(number, panel.tab?.shown ? { ...choices, record: recordFor(panel.tab.shown) } : choices)
          }
        />
        <MyDay />
        <RecentCalls panel={panel} disabled={busy} onDial={dial} />
        <MissingShortcuts />
      </main>
    </>
  );
}

/**
 * Whether a call is being placed. Until the call is listed here, only this shows it. A listed call may leave the list
 * later, after ten newer calls or if the history is cleared.
 */
function useIsPlacing(placing: Placing, recent: PanelState['recent']): boolean {
  const listedId = useRef<string | undefined>(undefined);
  if (placing.step !== 'placed') return placing.step === 'sending';
  if (recent.some(({ id }) => id === placing.id)) listedId.current = placing.id;
  return listedId.current !== placing.id;
}

interface TabProps {
  tab: PanelState['tab'];
  view: SettingsView;
  disabled: boolean;
  onDial(input: string, choices: CallChoices): void;
}

/** The site of the active tab, the hosts in its frames, and its numbers. */
function CurrentTab({ tab, view, disabled, onDial }: TabProps) {
  // An error of one page is not shown for another page.
  const page = tab && `${tab.id} ${tab.host}`;
  return (
    <>
      <SiteBar key={page} tab={tab} view={view} />
      {tab?.site === 'enabled' && <FramesOnPage key={page} tabId={tab.id} page={tab.host} />}
      {tab?.marking && (
        <NumbersOnPage
          tabId={tab.id}
          disabled={disabled}
          showsRecord={tab.shown !== undefined}
          mayExclude={!isLocked(view.locked, 'sites.excludedNumbers')}
          onDial={({ number: { display, to }, source, host, name, record }) =>
            onDial(display, {
              record,
              onPage: { source, host },
              shown: { display, to },
              ...(name !== undefined && { name }),
            })
          }
        />
      )}
    </>
  );
}

function Header({ from }: { from: string | undefined }) {
  return (
    <header class="bar">
      <h1>
        <img src="../../icons/32.png" alt="" width="20" height="20" />
        Dialmark
      </h1>
      {from !== undefined && <span class="quiet small">{text('popup_agent', from)}</span>}
      <div class="bar-buttons">
        <IconButton icon="panel" id="open-panel" label={text('popup_openPanel')} onClick={openPanelHere} />
        <IconButton
          icon="settings"
          id="open-options"
          label={text('page_openSettings')}
          onClick={openSettings}
        />
      </div>
    </header>
  );
}

interface PlacingProps {
  placing: Placing;
  panel: PanelState;
  onConfirm(reading?: OfferedReading): void;
  onClose(): void;
}

/** The answer to the last click if it placed no call: a question, or the reason. */
function PlacingAnswer({ placing, panel, onConfirm, onClose }: PlacingProps) {
  if (placing.step === 'confirm') {
    const { input, reason, readings, choices, focused } = placing;
    return (
      <ConfirmCard
        number={input}
        reason={reason}
        readings={readings}
        record={choices.record}
        focused={focused}
        onConfirm={onConfirm}
        onCancel={onClose}
      />
    );
  }
  if (placing.step === 'refused' && placing.error.mayOverride)
    return <OverrideCard placing={placing} number={placing.input} onCancel={onClose} />;
  if (placing.step !== 'refused') return null;
  const { click } = placing;
  // The live call of this click already shows the reason. After a newer call, the history has it.
  if (click === panel.live?.id || panel.recent.slice(1).some(({ id }) => id === click)) return null;
  return (
    <Refused placing={placing} onClose={onClose}>
      {placing.error.code === 'wrongKey' && panel.problem !== 'wrongKey' && <SetupCodeButton />}
    </Refused>
  );
}

interface RefusedProps {
  placing: Extract<Placing, { step: 'refused' }>;
  children: ComponentChildren;
  onClose(): void;
}

/** Why the last click placed no call, also to an agent who has scrolled down a list. It stays until it is closed. */
function Refused({ placing: { error, focused }, children, onClose }: RefusedProps) {
  const returnFocus = useFocusReturn(focused);
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.scrollIntoView({ block: 'nearest' }), []);
  const close = () => {
    returnFocus();
    onClose();
  };
  return (
    <div class="notice notice-bad" role="alert" id="refused" ref={notice}>
      <p>{withNumbers(errorText(error))}</p>
      {children}
      <Button class="plain" label={text('page_close')} onClick={close} />
    </div>
  );
}

/** Opens Chrome's side panel or Firefox's sidebar with this page. Both must be opened directly in the click. */
function openPanelHere(): void {
  // `WINDOW_ID_CURRENT` avoids an await, after which the browser would not count it as a click.
  const opened = globalThis.chrome?.sidePanel
    ? chrome.sidePanel.open({ windowId: chrome.windows.WINDOW_ID_CURRENT })
    : browser.sidebarAction?.open();
  void opened?.then(
    () => window.close(),
    () => undefined,
  );
}

// The page sets a popup's width, but side panel and sidebar set the page's width. Only the kind of view shows which one
// this is.
if (browser.extension.getViews({ type: 'popup' }).includes(window))
  document.documentElement.dataset.view = 'popup';
await startPage(Popup, () => text('manifest_name'));
