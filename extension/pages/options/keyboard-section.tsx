import { text } from '../../text.ts';
import { openShortcuts, useKeyboardCommands } from '../parts/keyboard-commands.ts';

/** Shows the current shortcuts, and says what to do about missing ones; only the browser's own page changes them. */
export function KeyboardSection() {
  const commands = useKeyboardCommands();
  return (
    <>
      <p class="quiet">{text('options_keyboardIntro')}</p>
      <table class="keys" id="commands">
        <thead>
          <tr>
            <th scope="col">{text('options_keyAction')}</th>
            <th scope="col">{text('options_keyKeys')}</th>
          </tr>
        </thead>
        <tbody>
          {commands.map(({ name, description, shortcut }) => (
            <tr key={name}>
              <td>{description}</td>
              <td>
                {shortcut ? (
                  <kbd>{withBreaks(shortcut)}</kbd>
                ) : (
                  <span class="problem">{text('options_keyNone')}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {commands.some(({ shortcut }) => shortcut === '') && (
        <p class="notice notice-warn" id="keys-missing">
          {text('options_keyMissing')}
        </p>
      )}
      <div class="row">
        <button type="button" id="rebind" onClick={openShortcuts}>
          {text('options_keyChange')}
        </button>
      </div>
    </>
  );
}

/** Alt+Shift+N, which a narrow page may break between its keys alone. */
function withBreaks(shortcut: string) {
  const [first, ...others] = shortcut.split('+');
  return [
    first,
    ...others.map((key) => (
      <>
        +<wbr />
        {key}
      </>
    )),
  ];
}
