import { useCallback, useState } from 'preact/hooks';
import { hostMatches } from '../../host-matches.ts';
import { patternOf } from '../../match-pattern.ts';
import type { Refusal } from '../../messages/result.ts';
import type { PanelState, SettingsView, SiteState } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Button } from '../parts/form.tsx';
import { HostName } from '../parts/host-name.ts';
import { requestOrigins } from '../parts/host-permission.ts';
import { isLocked } from '../parts/is-locked.ts';
import { sendRequest } from '../parts/send-request.ts';
import { useKeptFocus } from '../parts/use-kept-focus.ts';
import { useTabChanges } from '../parts/use-reply.ts';

/** Switches this site on or off, or marks this tab once. */
export function SiteBar({ tab, view }: { tab: PanelState['tab']; view: SettingsView }) {
  const [error, setError] = useState<Refusal>();
  // An error of one page is not shown for the next page in its tab.
  const clearError = useCallback(() => setError(undefined), []);
  useTabChanges(tab !== undefined, clearError, tab?.id);
  const section = useKeptFocus<HTMLElement>('#site-title');
  if (!tab) {
    // If a page is not enabled, we get its address only by a click on the toolbar's button (activeTab).
    const inPopup = document.documentElement.dataset.view === 'popup';
    return <p class="quiet small site-none">{text(inPopup ? 'popup_noSite' : 'popup_unknownSite')}</p>;
  }
  const { host, id, site, marking } = tab;
  const on = site === 'enabled';
  const next = on ? turnedOff(host, view) : 'enabled';
  const isSet = site !== 'blocked' && !mayChange(host, next, view);

  function toggle() {
    // A blocked site can be switched on only in the settings. The switch is then disabled and would lose the focus.
    if (next === 'blocked') document.getElementById('site-title')?.focus();
    if (on) return void change(next);
    // The browser's permission prompt may close this popup. So the request is sent before the person's answer.
    const allowed = requestOrigins([patternOf(host)]);
    void change('enabled');
    void allowed.then((yes) => {
      if (!yes) void change('default');
    });
  }

  async function change(state: SiteState) {
    const reply = await sendRequest('page.setSite', { host, state });
    setError(reply.error);
  }

  async function scan() {
    const reply = await sendRequest('page.scanTab', { tabId: id });
    setError(reply.error);
  }

  return (
    <section class="card site" ref={section} aria-labelledby="site-title">
      <div class="site-row">
        <div class="grow">
          <h2 id="site-title" class="small" tabIndex={-1}>
            {text('popup_thisSite')}
          </h2>
          <p class="host" id="site-host">
            <HostName host={host} />
          </p>
        </div>
        <button
          type="button"
          id="enable-site"
          class="switch"
          role="switch"
          aria-checked={on}
          aria-labelledby="site-title site-host"
          disabled={site === 'blocked' || isSet}
          onClick={toggle}
        >
          <span class="switch-thumb" />
        </button>
      </div>
      {site === 'blocked' && <p class="quiet small">{text('popup_siteBlocked')}</p>}
      {isSet && (
        <p class="quiet small" id="site-locked">
          {text('options_locked')}
        </p>
      )}
      {!marking && site !== 'blocked' && (
        <Button
          id="scan-tab"
          icon="search"
          label={text('background_menu_scan')}
          onClick={() => void scan()}
        />
      )}
      {error && <ErrorNotice error={error} />}
    </section>
  );
}

/**
 * How the site is turned off. A site that the organisation or a wider rule turned on gets its own rule that blocks it.
 */
function turnedOff(host: string, { settings: { sites }, locked }: SettingsView): SiteState {
  const isRemoved = sites.enabled.includes(host) && !sites.everywhere && !isLocked(locked, 'sites.enabled');
  return isRemoved ? 'default' : 'blocked';
}

/** Whether the agent may change the list. A site that the organisation turned on may still lack only the permission. */
function mayChange(host: string, next: SiteState, { locked, missingPermission }: SettingsView): boolean {
  if (next === 'blocked') return !isLocked(locked, 'sites.blocked');
  return !isLocked(locked, 'sites.enabled') || missingPermission.some((rule) => hostMatches(rule, host));
}
