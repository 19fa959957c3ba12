import { useState } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { text } from '../../text.ts';
import { Icon } from '../parts/icon.tsx';
import { diagnosticsOf } from './diagnostics-line.ts';
import { useForm } from './settings-form.ts';

/** One line that says what an administrator asks first; it can be copied and holds no secret. */
export function Diagnostics() {
  const { view } = useForm();
  const [isCopied, setCopied] = useState(false);
  const line = diagnosticsOf(view, browser.runtime.getManifest().version, navigator.userAgent);
  return (
    <footer class="diagnostics">
      <p class="quiet small">{text('options_diagnostics')}</p>
      <div class="row">
        <code id="diagnostics" class="grow">
          {line}
        </code>
        <button
          type="button"
          id="copy-diagnostics"
          onClick={() => void navigator.clipboard.writeText(line).then(() => setCopied(true))}
        >
          <Icon name="copy" />
          {text(isCopied ? 'popup_copied' : 'options_diagnosticsCopy')}
        </button>
      </div>
      <p class="small">
        <a id="open-privacy" href="../privacy/index.html">
          {text('privacy_title')}
        </a>
      </p>
    </footer>
  );
}
