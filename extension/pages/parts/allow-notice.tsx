import { patternOf } from '../../match-pattern.ts';
import { text } from '../../text.ts';
import { Button } from './form.tsx';
import { requestOrigins } from './host-permission.ts';
import { usePassFocusOn } from './use-pass-focus-on.ts';

/** Says that the browser does not let Dialmark reach these addresses, with a button that requests the permission. */
export function AllowNotice({ addresses }: { addresses: readonly string[] }) {
  const patterns = [...new Set(addresses.map(patternOf))];
  const hosts = [...new Set(addresses.map((address) => new URL(address).hostname))];
  const notice = usePassFocusOn<HTMLDivElement>('input, button', 'dial-input');
  return (
    <div class="notice notice-warn" id="host-permission" ref={notice}>
      <p>{text('page_allowNeeded', hosts.join(', '))}</p>
      <Button
        class="primary"
        id="allow-hosts"
        label={text('options_verdict_allow')}
        onClick={() => void requestOrigins(patterns)}
      />
    </div>
  );
}
