import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Call, newCall, newCallId } from '../../../shared/call/call.ts';
import browser, { alarms, session } from '../../../testing/extension/browser-api.ts';
import { chooseLanguage } from '../../text.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.stubGlobal('__BROWSER__', 'chrome');

const { callbackAlarm, notifyDueCallbacks } = await import('./callbacks.ts');
const { readSettings, updateSettings } = await import('../settings/settings-store.ts');
const { writeSecret } = await import('../settings/secrets.ts');

const shown: [id: string, title: string][] = [];
Object.assign(browser, {
  notifications: { create: async (id: string, { title }: { title: string }) => void shown.push([id, title]) },
});
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
let planned: Call[] = [];
vi.stubGlobal('fetch', async () => Response.json({ calls: planned }));

function toRepeat(callBackAt: string): Call {
  const call = newCall({ id: newCallId(), from: '1105', to: '4833224455', now: inMinutes(-60) });
  return { ...call, state: 'disconnected', name: 'Ana Prado', wrapUp: { callBackAt, revision: 1 } };
}
beforeEach(async () => {
  chooseLanguage('en');
  shown.length = 0;
  session.clear();
  alarms.clear();
  await updateSettings((own) => ({
    ...own,
    connection: { ...own.connection, relayUrl: 'http://127.0.0.1:8787' },
    appearance: { ...own.appearance, notifications: true },
  }));
  await writeSecret('agentKey', 'dmk_agent', (await readSettings()).settings);
});

test('notifies once of a callback that is due, with name beside number', async () => {
  planned = [toRepeat(inMinutes(-1))];
  await notifyDueCallbacks();
  await notifyDueCallbacks();
  expect(shown).toEqual([[`callback:${planned[0]!.id}`, 'Call back: Ana Prado 4833224455']]);
});

test('notifies again of a callback that was put off', async () => {
  const call = toRepeat(inMinutes(-10));
  planned = [call];
  await notifyDueCallbacks();
  planned = [{ ...call, wrapUp: { callBackAt: inMinutes(-1), revision: 2 } }];
  await notifyDueCallbacks();
  expect(shown).toHaveLength(2);
});

test('sets an alarm for the next callback, within minutes for one that is handed over meanwhile', async () => {
  const create = vi.spyOn(browser.alarms, 'create');
  planned = [toRepeat(inMinutes(90)), toRepeat(inMinutes(3))];
  await notifyDueCallbacks();
  expect(shown).toEqual([]);
  const when = Date.parse(planned[1]!.wrapUp!.callBackAt!);
  expect(create.mock.lastCall).toEqual([callbackAlarm, { when }]);
  planned = [];
  await notifyDueCallbacks();
  const [, again] = create.mock.lastCall as unknown as [string, { when: number }];
  expect(again.when).toBeLessThanOrEqual(Date.now() + 5 * 60_000);
});

test('asks for no callbacks where the agent wants no notifications', async () => {
  await updateSettings((own) => ({ ...own, appearance: { ...own.appearance, notifications: false } }));
  planned = [toRepeat(inMinutes(-1))];
  await notifyDueCallbacks();
  expect(shown).toEqual([]);
  expect(alarms).not.toContain(callbackAlarm);
});
