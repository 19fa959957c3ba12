/** What the agent says of a call: one key in the panel, kept by the relay. */
import type { Call } from '../shared/call/call.ts';
import { readyToDial, resetToRelay } from '../testing/extension/ask-background.ts';
import { until } from '../testing/until.ts';
import { expect, test } from './fixtures.ts';

test('one key in the panel saves the outcome of the call that has just ended', async ({ workstation }) => {
  await resetToRelay(workstation);
  const { browser } = workstation;
  const panel = await browser.newTab(`${browser.extensionOrigin}/extension/pages/popup/index.html`);
  try {
    await panel.activate();
    await readyToDial(panel);
    await panel.fill('#dial-input', '(48) 3322-9001');
    await until(async () => (await panel.attribute('#dial-button', 'disabled')) === null, 'the dial button');
    await panel.click('#dial-button');
    const liveState = () => panel.attribute('#live-call', 'data-state');
    await until(async () => (await liveState()) === 'disconnected', 'the end of the call');
    const id = await panel.attribute('#live-call', 'data-id');
    await until(() => panel.count('.outcome'), 'the outcomes');
    await panel.press('1');
    const wrapUp = async () => {
      const headers = { authorization: `Bearer ${workstation.key}` };
      const response = await fetch(`${workstation.relay.url}/v1/calls/${id}`, { headers });
      return ((await response.json()) as Call).wrapUp;
    };
    await until(wrapUp, 'the wrap-up at the relay');
    expect(await wrapUp()).toMatchObject({ outcome: 'reached', revision: 1 });
    expect(await panel.attribute('[data-code=reached]', 'aria-pressed')).toBe('true');
  } finally {
    await panel.close();
  }
});
