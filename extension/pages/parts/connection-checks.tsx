import type { ConnectionTest } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { HostName } from './host-name.ts';
import { Icon } from './icon.tsx';

/** Each tested address, with one sentence about the result. */
export function ConnectionChecks({ test }: { test: ConnectionTest }) {
  return (
    <ul class="checks">
      {test.checks.map(({ what, url, ok, cause = 'ok', sentence }) => (
        <li key={what + url} class={`notice notice-${ok ? 'good' : 'bad'}`} data-cause={cause}>
          <p>
            <Icon name={ok ? 'answered' : 'failed'} /> <strong>{text(`options_${what}Url`)}</strong>{' '}
            <code>
              <HostName host={url} />
            </code>
          </p>
          <p>{sentence}</p>
        </li>
      ))}
    </ul>
  );
}
