/** Dials in the popup and reads what it shows of that call. */

import type { Tab } from '../browsers/browser.ts';
import { until } from '../until.ts';
import type { Workstation } from '../workstation.ts';
import { readyToDial } from './ask-background.ts';

/**
 * Dials, and waits until the popup shows this call in one of these states. `refused` if the popup refuses the call.
 * @returns the state and the sentence.
 */
export async function dialInPopup(
  workstation: Workstation,
  number: string,
  states: readonly string[],
): Promise<{ state: string; sentence: string }> {
  const popup = await workstation.browser.newTab(
    `${workstation.browser.extensionOrigin}/extension/pages/popup/index.html`,
  );
  try {
    await popup.fill('#dial-input', number);
    await until(async () => (await popup.attribute('#dial-button', 'disabled')) === null, 'the dial button');
    // A second call within a moment is refused. The call of the test before may have failed at once.
    await readyToDial(popup);
    // The popup still shows the call before this one.
    const before = await popup.attribute('#live-call', 'data-id');
    await popup.click('#dial-button');
    return await until(() => outcome(popup, before, states), `one of ${states.join(', ')}`);
  } finally {
    await popup.close();
  }
}

/** Reads state and sentence at once, because the state may change between two readings. */
const outcome = (popup: Tab, before: string | null, states: readonly string[]) =>
  popup.evaluate<{ state: string; sentence: string } | null>(`(() => {
    const refused = document.querySelector('#refused')?.innerText ?? '';
    if (refused !== '') return { state: 'refused', sentence: refused };
    const call = document.querySelector('#live-call');
    if (!call || call.dataset.id === ${JSON.stringify(before)}) return null;
    const { state } = call.dataset;
    return ${JSON.stringify(states)}.includes(state) ? { state, sentence: call.innerText } : null; })()`);
