import { patternOf } from '../../match-pattern.ts';
import { text } from '../../text.ts';
import { requestOrigins } from './host-permission.ts';

/** Says that the browser keeps Dialmark from these addresses, with the button that asks it for permission. */
export function AllowNotice({ addresses, onAllowed }: { addresses: readonly string[]; onAllowed?(): void }) {
  const patterns = [...new Set(addresses.map(patternOf))];
  const hosts = [...new Set(addresses.map((address) => new URL(address).hostname))];
  return (
    <div class="notice notice-warn" id="host-permission">
      <p>{text('page_allowNeeded', hosts.join(', '))}</p>
      <button
        type="button"
        class="primary"
        id="allow-hosts"
        onClick={() => void requestOrigins(patterns).then((yes) => yes && onAllowed?.())}
      >
        {text('options_verdict_allow')}
      </button>
    </div>
  );
}
