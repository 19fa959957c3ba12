import { beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import type { ToContent } from '../../messages/content.ts';

const sent: ToContent['type'][] = [];
let takesScripts = true;
let hasScript = false;
const openPanelAsPopup = vi.fn(async () => {});
vi.mock('webextension-polyfill', () => ({
  default: {
    tabs: {
      sendMessage: async (_: number, message: ToContent) => {
        if (!hasScript) throw new Error('Could not establish connection. Receiving end does not exist.');
        sent.push(message.type);
        return true;
      },
    },
  },
}));
vi.mock('../sites/in-frames.ts', () => ({
  inFrames: async () => (hasScript ? [{ frameId: 0, result: 1 }] : undefined),
}));
vi.mock('../sites/sync-sites.ts', () => ({
  scanTab: async () => {
    hasScript = takesScripts;
    return takesScripts;
  },
}));
vi.mock('./open-panel.ts', () => ({ openPanel: async () => {}, openPanelAsPopup }));
const { onCommand } = await import('./commands.ts');

beforeEach(() => {
  vi.clearAllMocks();
  sent.length = 0;
  hasScript = false;
});

test.each(['next-number', 'dial-number'])(
  'the command %s opens the panel on a page that takes no script',
  async (command) => {
    takesScripts = false;
    onCommand(command, { id: 7 } as Parameters<typeof onCommand>[1]);
    await eventually(() => expect(openPanelAsPopup).toHaveBeenCalledOnce());
    expect(sent).toEqual([]);
  },
);

test('a command marks a page that is not marked yet, then runs in it', async () => {
  takesScripts = true;
  onCommand('next-number', { id: 7 } as Parameters<typeof onCommand>[1]);
  await eventually(() => expect(sent).toEqual(['background.step']));
  expect(openPanelAsPopup).not.toHaveBeenCalled();
});
