import { text } from '../../text.ts';
import { Button } from './form.tsx';
import { openShortcuts, useKeyboardCommands } from './keyboard-commands.ts';

/** The keyboard commands with their keys, and a button to the browser's own page, which changes them. */
export function KeyboardTable() {
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
            <tr key={name} data-command={name}>
              <td>{description}</td>
              <td>
                {shortcut ? (
                  <Keys shortcut={shortcut} />
                ) : (
                  <span class="problem">{text('options_keyNone')}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Button id="rebind" label={text('options_keyChange')} onClick={openShortcuts} />
    </>
  );
}

/** Alt+Shift+N. A narrow page may break it only between its keys. */
function Keys({ shortcut }: { shortcut: string }) {
  return (
    <kbd>
      {shortcut.split('+').flatMap((key, index) => (index === 0 ? [key] : ['+', <wbr key={key} />, key]))}
    </kbd>
  );
}
