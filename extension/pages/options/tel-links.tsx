import { useState } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { browserName } from '../../browser-name.ts';
import { text } from '../../text.ts';
import { Button } from '../parts/form.tsx';

/**
 * Registers Dialmark for `tel:` links of pages that it does not mark. Chromium lets this page register itself and asks
 * in the address bar; in Firefox the manifest declares it and the person chooses in the settings (both measured,
 * 2026-11).
 */
export function TelLinks() {
  const [asked, setAsked] = useState<'asked' | 'refused'>();
  const firefox = browserName === 'firefox';

  function register() {
    try {
      navigator.registerProtocolHandler(
        'tel',
        `${browser.runtime.getURL('extension/pages/call/index.html')}?u=%s`,
      );
      setAsked('asked');
    } catch {
      setAsked('refused');
    }
  }

  return (
    <div class="field">
      <h3>{text('options_telLinks')}</h3>
      <p class="quiet small">{text(firefox ? 'options_telLinksFirefox' : 'options_telLinksChrome')}</p>
      {!firefox && (
        <div class="row">
          <Button id="register-tel" label={text('options_telLinksButton')} onClick={register} />
          <span role="status">
            {asked === 'asked' && text('options_telLinksAsked')}
            {asked === 'refused' && text('options_telLinksRefused')}
          </span>
        </div>
      )}
    </div>
  );
}
