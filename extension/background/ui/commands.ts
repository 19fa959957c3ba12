/** Keyboard commands. The browser decides which keys they have. */
import browser, { type Tabs } from 'webextension-polyfill';
import type { ToContent } from '../../messages/content.ts';
import { inFrames } from '../sites/in-frames.ts';
import { scanTab } from '../sites/sync-sites.ts';
import { openPanel, openPanelAsPopup } from './open-panel.ts';

const steps: Record<string, 'next' | 'previous'> = { 'next-number': 'next', 'previous-number': 'previous' };

export function onCommand(command: string, tab?: Tabs.Tab): void {
  if (command === 'open-panel') void openPanel(tab?.windowId);
  const to = steps[command];
  if (to) void inTab(tab, (id) => stepInFrames(id, to));
  if (command === 'dial-number')
    void inTab(tab, (id) => sendTo(id, { type: 'background.dialFocused' }).then((reply) => reply.reached));
}

/**
 * Runs a command in a tab. If the page is not marked yet, the command marks it: it grants `activeTab` as a click on us
 * does. If the page does not accept scripts, as the browser's own, the panel opens. The panel has a field for numbers,
 * and says where they are marked.
 */
async function inTab(tab: Tabs.Tab | undefined, run: (id: number) => Promise<boolean>): Promise<void> {
  const id = tab?.id ?? (await browser.tabs.query({ active: true, lastFocusedWindow: true }))[0]?.id;
  if (id === undefined) return;
  if (await run(id)) return;
  if (await scanTab(id)) await run(id);
  else await openPanelAsPopup();
}

/**
 * Moves from the frame with the focus through the other frames, and back to it.
 * @returns false if our script does not run in the tab.
 */
async function stepInFrames(tabId: number, to: 'next' | 'previous'): Promise<boolean> {
  const found = (await inFrames(tabId, frameFocus, undefined, true)) ?? [];
  // Ids grow as frames are added. This is mostly the order in which the page shows the frames.
  const frames = found.toSorted((one, other) => one.frameId - other.frameId);
  const depths = frames.map(({ result }) => result ?? 0);
  const focused = depths.indexOf(Math.max(...depths));
  const offset = to === 'next' ? 1 : -1;
  let hasReached = false;
  // One step more than there are frames. The last step enters the first frame again, from its edge.
  for (let count = 0; frames.length > 0 && count <= frames.length; count += 1) {
    const { frameId } = frames.at((focused + count * offset) % frames.length)!;
    const { reached, reply } = await sendTo(
      tabId,
      { type: 'background.step', to, isEntered: count > 0 },
      { frameId },
    );
    hasReached ||= reached;
    if (reply) return true;
  }
  return hasReached;
}

/** Runs in the page, so it uses no other function. @returns how deep the frame is if it has the focus, else 0. */
function frameFocus(): number {
  let depth = 1;
  for (let frame: Window = window; frame !== frame.parent; frame = frame.parent) depth += 1;
  return document.hasFocus() ? depth : 0;
}

async function sendTo(
  tabId: number,
  message: ToContent,
  options?: { frameId: number },
): Promise<{ reached: boolean; reply?: unknown }> {
  return browser.tabs.sendMessage(tabId, message, options).then(
    (reply: unknown) => ({ reached: true, reply }),
    () => ({ reached: false }), // It has no script.
  );
}

/** False if a command does not have keys: another extension, or the person, has taken them. */
export const hasShortcut = async (command: string): Promise<boolean> =>
  (await browser.commands.getAll()).some(({ name, shortcut }) => name === command && !!shortcut);
