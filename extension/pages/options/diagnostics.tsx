import browser from 'webextension-polyfill';
import { text } from '../../text.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { diagnosticsOf } from './diagnostics-line.ts';
import { useForm } from './settings-form.ts';

/** One line with what an administrator asks first. It can be copied and holds no secret. */
export function Diagnostics() {
  const { view } = useForm();
  const line = diagnosticsOf(view, browser.runtime.getManifest().version, navigator.userAgent);
  return (
    <footer class="diagnostics">
      <p class="quiet small">{text('options_diagnostics')}</p>
      <div class="row">
        <code id="diagnostics" class="grow">
          {line}
        </code>
        <CopyButton id="copy-diagnostics" value={line} label={text('registration_copy')} />
      </div>
      {view.locked.length > 0 && <ArrivedPolicy locked={view.locked} />}
      <p class="small">
        <a id="open-privacy" href="../privacy/index.html">
          {text('privacy_title')}
        </a>
      </p>
    </footer>
  );
}

/** A browser drops policy names that it does not know. A value that is missing here did not arrive. */
function ArrivedPolicy({ locked }: { locked: readonly string[] }) {
  return (
    <details id="policy-values">
      <summary>{text('options_policyArrived', locked.length)}</summary>
      <ul>
        {locked.map((path) => (
          <li key={path}>
            <code>{path}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
