import { useEffect, useState } from 'preact/hooks';
import browser, { type Commands } from 'webextension-polyfill';
import { text } from '../../text.ts';
import { browserName } from '../parts/browser-name.ts';

/** Shows the current shortcuts; the button opens the browser's own page, which alone can change them. */
export function KeyboardSection() {
  const [commands, setCommands] = useState<Commands.Command[]>();
  useEffect(() => {
    const read = () => void browser.commands.getAll().then(setCommands);
    read();
    addEventListener('focus', read);
    return () => removeEventListener('focus', read);
  }, []);

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
          {(commands ?? [])
            .filter(({ description }) => description)
            .map(({ name, description, shortcut }) => (
              <tr key={name}>
                <td>{description}</td>
                <td>
                  {shortcut ? <kbd>{shortcut}</kbd> : <span class="quiet">{text('options_keyNone')}</span>}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
      <div class="row">
        <button type="button" id="rebind" onClick={openShortcuts}>
          {text('options_keyChange')}
        </button>
      </div>
    </>
  );
}

function openShortcuts(): void {
  if (browserName === 'firefox') {
    void (browser.commands as { openShortcutSettings?(): Promise<void> }).openShortcutSettings?.();
  } else void browser.tabs.create({ url: 'chrome://extensions/shortcuts' });
}
