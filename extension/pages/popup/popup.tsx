import { useCallback, useMemo, useState } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { isFinished } from '../../../shared/call/call.ts';
import type { PanelState } from '../../messages.ts';
import { text } from '../../text.ts';
import { neededAddresses } from '../options/draft.ts';
import { ConfirmCard } from '../parts/confirm-card.tsx';
import { errorText } from '../parts/error-text.ts';
import { Failure } from '../parts/failure.tsx';
import { originPattern, requestOrigins } from '../parts/host-permission.ts';
import { Icon } from '../parts/icon.tsx';
import { LiveCall } from '../parts/live-call.tsx';
import { dress, type PageProps } from '../parts/start-page.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { usePlaceCall } from '../parts/use-place-call.ts';
import { DialField } from './dial-field.tsx';
import { NumbersOnPage } from './numbers-on-page.tsx';
import { openPanel } from './open-panel.ts';
import { RecentCalls } from './recent-calls.tsx';
import { SiteBar } from './site-bar.tsx';

/** Popup, Chrome's side panel and Firefox's sidebar: one page, 320 to 480 px wide, as tall as it is given. */
export function Popup({ initial }: PageProps) {
  const [settings] = useAnswer('page.settings', {}, ['settings']);
  const [state] = useAnswer('page.state', {}, ['calls', 'settings', 'tab', 'follow']);
  const view = settings.state === 'ready' ? settings.value : initial;
  const { theme, language } = view.settings.appearance;
  // Before anything below is drawn: texts are looked up while drawing.
  useMemo(() => dress({ theme, language }), [theme, language]);

  if (state.state === 'loading') return <p class="loading">{text('page_loading')}</p>;
  if (state.state === 'error') return <Failure error={state.error} retry={() => location.reload()} />;
  return <Panel panel={state.value} settings={view} />;
}

function Panel({ panel, settings }: { panel: PanelState; settings: PageProps['initial'] }) {
  const { placing, dial, confirm, dismiss } = usePlaceCall();
  const [input, setInput] = useState('');
  const busy = placing.step === 'asking' || (panel.live !== null && !isFinished(panel.live.call));

  const dialAndClear = useCallback(
    async (number: string, choices = {}) => {
      if (await dial(number, choices)) setInput('');
    },
    [dial],
  );

  return (
    <>
      <header class="bar">
        <h1>
          <img src="../../icons/32.png" alt="" width="20" height="20" />
          Dialmark
        </h1>
        {panel.from !== undefined && <span class="quiet small">{text('popup_agent', panel.from)}</span>}
        <button
          type="button"
          class="plain icon"
          id="open-panel"
          title={text('popup_openPanel')}
          onClick={openPanel}
        >
          <Icon name="panel" directed />
          <span class="visually-hidden">{text('popup_openPanel')}</span>
        </button>
        <button
          type="button"
          class="plain icon"
          id="open-options"
          title={text('popup_settings')}
          onClick={() => browser.runtime.openOptionsPage()}
        >
          <Icon name="settings" />
          <span class="visually-hidden">{text('popup_settings')}</span>
        </button>
      </header>
      <main class="stack">
        <Problem panel={panel} settings={settings} />
        <DialField
          input={input}
          onInput={setInput}
          settings={settings.settings}
          disabled={busy || panel.problem !== undefined}
          onDial={dialAndClear}
        />
        {placing.step === 'confirm' && (
          <ConfirmCard
            number={placing.input}
            reason={placing.reason}
            onConfirm={() => void confirm().then((placed) => placed && setInput(''))}
            onCancel={dismiss}
          />
        )}
        {placing.step === 'refused' && (
          <div class="notice notice-bad" role="alert" id="refused">
            <p>{errorText(placing.error)}</p>
            <button type="button" class="plain" onClick={dismiss}>
              {text('page_dismiss')}
            </button>
          </div>
        )}
        <FollowNotice follow={panel.follow} />
        <p class="visually-hidden" role="status">
          {panel.live && `${panel.live.display}: ${panel.live.sentence}`}
        </p>
        {panel.live && <LiveCall entry={panel.live} onAgain={(number) => void dialAndClear(number)} />}
        <SiteBar tab={panel.tab} />
        {panel.tab?.marking && (
          <NumbersOnPage
            tabId={panel.tab.id}
            disabled={busy}
            onDial={(number) => void dialAndClear(number)}
          />
        )}
        <RecentCalls recent={panel.recent} disabled={busy} onDial={(number) => void dialAndClear(number)} />
      </main>
    </>
  );
}

/** Why no call can be placed, and the one button that leads out of it. */
function Problem({ panel, settings }: { panel: PanelState; settings: PageProps['initial'] }) {
  const { problem, problemDetail } = panel;
  if (problem === undefined) return null;
  const patterns = neededAddresses(settings.settings).map(originPattern);
  return (
    <div class="notice notice-warn" id="problem">
      <p>{errorText({ code: problem, ...(problemDetail === undefined ? {} : { detail: problemDetail }) })}</p>
      {problem === 'noPermission' && patterns.length > 0 ? (
        <button type="button" class="primary" id="allow-hosts" onClick={() => void requestOrigins(patterns)}>
          {text('options_allow')}
        </button>
      ) : (
        <button type="button" onClick={() => browser.runtime.openOptionsPage()}>
          {text('popup_openSettings')}
        </button>
      )}
    </div>
  );
}

/** The stream that brings the ends of calls, where it is not simply there. */
function FollowNotice({ follow }: { follow: PanelState['follow'] }) {
  if (follow === 'idle' || follow === 'open' || follow === 'connecting') return null;
  return (
    <p class="notice notice-warn" role="status" id="follow">
      {text(follow === 'offline' ? 'popup_followOffline' : 'error_wrongKey')}
    </p>
  );
}
