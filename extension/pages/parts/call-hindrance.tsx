import { errorText } from '../../error-text.ts';
import type { PanelState, SettingsView } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { AllowNotice } from './allow-notice.tsx';
import { SetupCodeButton } from './error-notice.tsx';
import { Button } from './form.tsx';
import { openSettings } from './open-settings.ts';
import { neededAddresses } from './used-addresses.ts';

/** Why no call can be placed, with the button that helps. Shows nothing if calls can be placed. */
export function CallHindrance({ panel, view }: { panel: PanelState; view: SettingsView }) {
  const { problem, problemDetail } = panel;
  if (problem === undefined) return null;
  const addresses = neededAddresses(view.settings);
  if (problem === 'noPermission' && addresses.length > 0) return <AllowNotice addresses={addresses} />;
  const isOfPolicy = problem === 'notConfigured' && isPolicyBroken(view);
  return (
    <div class="notice notice-warn" id="problem">
      <p>{isOfPolicy ? text('page_policyBroken') : errorText({ code: problem, detail: problemDetail })}</p>
      {problem === 'wrongKey' ? (
        <SetupCodeButton />
      ) : (
        <Button class="primary" label={text('page_openSettings')} onClick={openSettings} />
      )}
    </div>
  );
}

/** Whether a value of the organisation was left out because it is wrong. Only an administrator can correct it. */
export const isPolicyBroken = ({ managedProblems }: SettingsView): boolean =>
  managedProblems.some(({ problem }) => problem !== 'secretsAreReadable');
