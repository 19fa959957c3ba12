/** The keyboard commands with the keys that the browser gave them. */
import { useEffect, useState } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { browserName } from '../../browser-name.ts';
import { text } from '../../text.ts';

/** The commands' descriptions in the agent's language. The browser's own list shows them in the browser's language. */
const descriptions = {
  'next-number': 'manifest_command_next',
  'previous-number': 'manifest_command_previous',
  'dial-number': 'manifest_command_dial',
  'open-panel': 'popup_openPanel',
} as const;

interface KeyboardCommand {
  name: string;
  description: string;
  /** Empty if, for example, another extension has the suggested keys. */
  shortcut: string;
}

/**
 * The commands and their keys. They are read again whenever the page gets the focus: the person may have changed them.
 * Empty until the browser replies.
 */
export function useKeyboardCommands(): KeyboardCommand[] {
  const [shortcuts, setShortcuts] = useState<ReadonlyMap<string, string>>();
  useEffect(() => {
    const read = () =>
      void browser.commands
        .getAll()
        .then((all) => setShortcuts(new Map(all.map(({ name, shortcut }) => [name ?? '', shortcut ?? '']))));
    read();
    addEventListener('focus', read);
    return () => removeEventListener('focus', read);
  }, []);
  if (!shortcuts) return [];
  return Object.entries(descriptions).map(([name, key]) => ({
    name,
    description: text(key),
    shortcut: shortcuts.get(name) ?? '',
  }));
}

/** Opens the browser's own page for shortcuts. In Chromium, only that page can change them. */
export function openShortcuts(): void {
  if (browserName === 'firefox') {
    void (browser.commands as { openShortcutSettings?(): Promise<void> }).openShortcutSettings?.();
  } else void browser.tabs.create({ url: 'chrome://extensions/shortcuts' });
}
