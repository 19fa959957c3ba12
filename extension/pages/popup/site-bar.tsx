import { useState } from 'preact/hooks';
import { patternOf } from '../../match-pattern.ts';
import type { Refusal } from '../../messages/result.ts';
import type { PanelState } from '../../messages/views.ts';
import type { Settings } from '../../settings.ts';
import { text } from '../../text.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Button } from '../parts/form.tsx';
import { HostName } from '../parts/host-name.ts';
import { requestOrigins } from '../parts/host-permission.ts';
import { sendRequest } from '../parts/send-request.ts';

/** Switches this site on or off, or marks this tab once. */
export function SiteBar({ tab, sites }: { tab: PanelState['tab']; sites: Settings['sites'] }) {
  const [error, setError] = useState<Refusal>();
  if (!tab) {
    // For a page that is not enabled, only a click on the toolbar's button gives us its address (activeTab).
    const inPopup = document.documentElement.dataset.view === 'popup';
    return <p class="quiet small site-none">{text(inPopup ? 'popup_noSite' : 'popup_unknownSite')}</p>;
  }
  const { host, id, site, marking } = tab;
  const on = site === 'enabled';

  function toggle() {
    // Turned on by a rule for more than this host, it is turned off by one of its own.
    if (on) return void change(sites.enabled.includes(host) && !sites.everywhere ? 'default' : 'blocked');
    // The browser's permission prompt may close this popup, so the request is sent before its answer.
    const allowed = requestOrigins([patternOf(host)]);
    void change('enabled');
    void allowed.then((yes) => {
      if (!yes) void change('default');
    });
  }

  async function change(state: 'enabled' | 'blocked' | 'default') {
    const reply = await sendRequest('page.setSite', { host, state });
    setError(reply.error);
  }

  async function scan() {
    const reply = await sendRequest('page.scanTab', { tabId: id });
    setError(reply.error);
  }

  return (
    <section class="card site" aria-labelledby="site-title">
      <div class="site-row">
        <div class="grow">
          <h2 id="site-title" class="small">
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
          disabled={site === 'blocked'}
          onClick={toggle}
        >
          <span class="switch-thumb" />
        </button>
      </div>
      {site === 'blocked' && <p class="quiet small">{text('popup_siteBlocked')}</p>}
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
