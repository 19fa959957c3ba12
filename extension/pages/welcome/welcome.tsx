import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { browserName } from '../../browser-name.ts';
import { withValues } from '../../dotted-path.ts';
import { patternOf } from '../../match-pattern.ts';
import type { Refusal, Result } from '../../messages/result.ts';
import type { ConnectionTest, PanelState, SettingsView } from '../../messages/views.ts';
import { countryName, text } from '../../text.ts';
import { CallHindrance, isPolicyBroken } from '../parts/call-hindrance.tsx';
import { ConnectionChecks } from '../parts/connection-checks.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Button } from '../parts/form.tsx';
import { requestOrigins } from '../parts/host-permission.ts';
import { useKeyboardCommands } from '../parts/keyboard-commands.ts';
import { KeyboardTable } from '../parts/keyboard-table.tsx';
import { openSettings } from '../parts/open-settings.ts';
import { lockedRelayOf, noSetupEntry, readSetup, type Setup, setupChanges } from '../parts/read-setup.ts';
import { sendRequest } from '../parts/send-request.ts';
import { SetupCodeField } from '../parts/setup-code-field.tsx';
import { type PageProps, startPage } from '../parts/start-page.tsx';
import { useKeptFocus } from '../parts/use-kept-focus.ts';
import { useLatest } from '../parts/use-latest.ts';
import { useReply } from '../parts/use-reply.ts';
import { useAppearance, useSettings } from '../parts/use-settings.ts';

/**
 * The page of the first run: the steps to the first call, the keyboard shortcuts, and what leaves the browser. A step
 * that worked is marked as done.
 */
export function Welcome({ initial }: PageProps) {
  const [view, replaceView] = useSettings(initial);
  const [state] = useReply('page.state', {}, ['settings', 'calls']);
  const panel = state.state === 'ready' ? state.value : undefined;
  useAppearance(view.settings.appearance);
  return (
    <main class="stack">
      <header>
        <img src="../../icons/128.png" alt="" width="64" height="64" />
        <h1>{text('welcome_title')}</h1>
        <p>{text('welcome_intro')}</p>
      </header>
      <ol class="steps">
        <ConnectStep view={view} panel={panel} replaceView={replaceView} />
        <WelcomeStep title={text('welcome_step_site')} done={view.marksAnySite}>
          <p>{text('welcome_step_siteText')}</p>
          <PinHint />
        </WelcomeStep>
        <WelcomeStep title={text('popup_call')} done={panel?.recent.some(wasPlaced) === true}>
          <p>{text('welcome_step_callText')}</p>
          <p class="quiet small" id="welcome-country">
            {text('welcome_country', countryName(view.settings.numbers.country))}{' '}
            <a href="../options/index.html#numbers">{text('welcome_change')}</a>
          </p>
        </WelcomeStep>
        <KeyboardStep />
      </ol>
      <p class="notice">
        {text('privacy_sent')} <a href="../privacy/index.html">{text('privacy_title')}</a>
      </p>
    </main>
  );
}

interface ConnectProps {
  view: SettingsView;
  panel: PanelState | undefined;
  replaceView(view: SettingsView): void;
}

/** Causes that do not show whether the settings are right. */
const offline: ReadonlySet<string> = new Set(['unreachable', 'timeout', 'serverError']);

/** Accepts a setup code, and tests the connection whenever one is set up. */
function ConnectStep({ view, panel, replaceView }: ConnectProps) {
  const [error, setError] = useState<Refusal>();
  const [entry, setEntry] = useState(noSetupEntry);
  const [attempt, setAttempt] = useState(1);
  const isReady = panel !== undefined && panel.problem === undefined;
  const reply = useConnectionTest(
    isReady,
    JSON.stringify([attempt, view.settings.connection, view.settings.agent.from, view.secrets]),
  );
  const test = reply?.ok ? reply.value : undefined;
  const isDone = isReady && test?.ok === true;
  const testAgain = () => setAttempt(attempt + 1);
  const failed = test?.checks.filter(({ ok }) => !ok) ?? [];
  // The settings may be right if the server could not be asked.
  const isOffline =
    failed.length > 0 && failed.every(({ cause }) => cause !== undefined && offline.has(cause));
  const isManaged = view.locked.some((path) => path.startsWith('connection'));

  async function use(setup: Setup) {
    // First of all: Firefox allows the request only directly in the click.
    void requestOrigins([patternOf(setup.relayUrl)]);
    const settings = withValues(
      view.settings,
      Object.entries(setupChanges(setup, view.settings, view.locked)),
    );
    const saved = await sendRequest('page.saveSettings', { settings });
    setError(saved.error);
    if (!saved.ok) return;
    // A policy may have set another relay since the click. The key is not for that relay.
    if (!readSetup(entry, lockedRelayOf(saved.value)).setup) return replaceView(saved.value);
    const stored = await sendRequest('page.setSecret', { name: 'agentKey', value: setup.key });
    setError(stored.error);
    if (!stored.ok) return;
    setEntry(noSetupEntry);
    replaceView(stored.value);
  }

  return (
    <WelcomeStep title={text('welcome_step_connect')} done={isDone}>
      {isManaged && <p>{text('options_locked')}</p>}
      {!(isReady && (isDone || isOffline || test === undefined)) && (
        <>
          {!isManaged && <p>{text('welcome_step_connectText')}</p>}
          <SetupCodeField
            entry={entry}
            lockedRelay={lockedRelayOf(view)}
            onEntry={(typed) => {
              setEntry(typed);
              // The error was about another code.
              setError(undefined);
            }}
            onUse={(setup) => void use(setup)}
          />
        </>
      )}
      <div id="connection-state" role="status">
        {panel &&
          panel.problem !== undefined &&
          (panel.problem !== 'notConfigured' || isPolicyBroken(view)) && (
            <CallHindrance panel={panel} view={view} />
          )}
        {isReady && !reply && <p class="quiet">{text('options_testing')}</p>}
        {isReady && reply?.error && <ErrorNotice error={reply.error} retry={testAgain} />}
        {isReady && test && <ConnectionChecks test={test} />}
        {isReady && isOffline && <Button id="test-again" label={text('page_tryAgain')} onClick={testAgain} />}
      </div>
      {error && <ErrorNotice error={error} />}
      <Button id="open-options" label={text('page_openSettings')} onClick={openSettings} />
    </WelcomeStep>
  );
}

/**
 * The result of testing the saved connection. The test runs again whenever `key` changes; undefined while it runs. It
 * places no call.
 */
function useConnectionTest(isReady: boolean, key: string): Result<ConnectionTest> | undefined {
  const { value, isCurrent } = useLatest(isReady ? key : '', async () =>
    isReady ? sendRequest('page.testConnection', {}) : undefined,
  );
  return isCurrent ? value : undefined;
}

/** Shows which keys are set, and how to set the others. Without them, the marks cannot be reached by keyboard. */
function KeyboardStep() {
  const keys = useKeyboardCommands();
  const isDone = keys.length > 0 && keys.every(({ shortcut }) => shortcut !== '');
  return (
    <WelcomeStep title={text('options_keyboard')} done={isDone}>
      <KeyboardTable />
    </WelcomeStep>
  );
}

/** Says how to pin the toolbar button, until it is pinned. */
function PinHint() {
  const [isPinned, setPinned] = useState(false);
  useEffect(() => {
    type Action = { getUserSettings?(): Promise<{ isOnToolbar?: boolean }> };
    void (browser.action as Action | undefined)
      ?.getUserSettings?.()
      .then(({ isOnToolbar }) => setPinned(isOnToolbar === true))
      .catch(() => {});
  }, []);
  if (isPinned) return null;
  return (
    <p class="quiet small" id="pin-hint">
      {text(browserName === 'firefox' ? 'welcome_pinFirefox' : 'welcome_pinChrome')}
    </p>
  );
}

/** Whether the call reached the calling service. A call that was refused or never sent proves nothing. */
const wasPlaced = ({ call }: PanelState['recent'][number]) =>
  call.acceptedAt !== undefined || call.state === 'callingCaller' || call.state === 'disconnected';

function WelcomeStep({
  title,
  done,
  children,
}: {
  title: string;
  done: boolean;
  children: ComponentChildren;
}) {
  const step = useKeptFocus<HTMLLIElement>('h2');
  return (
    <li class="card" ref={step} data-done={done}>
      <h2 tabIndex={-1}>
        {title}
        {done && ' '}
        {done && <span class="done">· {text('callbacks_done')}</span>}
      </h2>
      {children}
    </li>
  );
}

await startPage(Welcome, () => text('welcome_title'));
