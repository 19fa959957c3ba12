/** The extension's keyboard commands. */
import type { Bidi } from '../browsers/bidi.ts';
import type { TestBrowser } from '../browsers/browser.ts';
import type { ChromiumBrowser } from '../browsers/chromium.ts';
import { evaluateInChrome } from '../browsers/firefox-tab.ts';

type StepCommand = 'next-number' | 'previous-number';

/** Runs a command for the tab in front: by its keys in Firefox. Chromium's window takes no keys from a driver. */
export async function runCommand(browser: TestBrowser, command: StepCommand): Promise<void> {
  if (browser.name === 'chromium') {
    const { context, extensionOrigin } = browser as ChromiumBrowser;
    const worker = context.serviceWorkers().find((each) => each.url().startsWith(extensionOrigin));
    await worker!.evaluate(`chrome.commands.onCommand.dispatch(${JSON.stringify(command)})`);
    return;
  }
  await evaluateInChrome(
    (browser as TestBrowser & { bidi: Bidi }).bidi,
    `(() => {
      const input = Cc['@mozilla.org/text-input-processor;1'].createInstance(Ci.nsITextInputProcessor);
      input.beginInputTransactionForTests(window);
      const keys = [['Alt', 'AltLeft'], ['Shift', 'ShiftLeft'], ${JSON.stringify(keys[command])}]
        .map(([key, code]) => new KeyboardEvent('', { key, code, keyCode: key.length === 1 ? key.charCodeAt(0) : 0 }));
      for (const key of keys) input.keydown(key);
      for (const key of keys.reverse()) input.keyup(key);
    })()`,
  );
}

/** With Alt and Shift, as the manifest says. */
const keys = { 'next-number': ['N', 'KeyN'], 'previous-number': ['P', 'KeyP'] };
