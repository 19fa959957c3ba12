import { errorText } from '../../error-text.ts';
import type { Refusal } from '../../messages/result.ts';
import { text } from '../../text.ts';
import { Button } from './form.tsx';
import { openSetting } from './open-settings.ts';
import { withNumbers } from './unbroken-numbers.ts';

/** Opens the field for a new key. If the relay does not accept a key, only a new one helps. */
export const SetupCodeButton = () => (
  <Button
    class="primary enter-setup-code"
    label={text('setup_enter')}
    onClick={() => openSetting('setup-code')}
  />
);

export function ErrorNotice({ error, retry }: { error: Refusal; retry?: () => void }) {
  return (
    <div class="notice notice-bad" role="alert">
      <p>{withNumbers(errorText(error))}</p>
      {error.code === 'wrongKey' && <SetupCodeButton />}
      {retry && <Button label={text('page_tryAgain')} onClick={retry} />}
    </div>
  );
}
