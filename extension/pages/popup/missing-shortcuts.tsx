import { text } from '../../text.ts';
import { openShortcuts, useKeyboardCommands } from '../parts/keyboard-commands.ts';

/** Says that keyboard shortcuts are missing, with a link to the page that sets them. */
export function MissingShortcuts() {
  const missing = useKeyboardCommands().filter(({ shortcut }) => shortcut === '').length;
  if (missing === 0) return null;
  return (
    <p class="quiet small" id="missing-shortcuts">
      {text('popup_keysMissing', missing)}{' '}
      <button type="button" class="link" onClick={openShortcuts}>
        {text('options_keyChange')}
      </button>
    </p>
  );
}
