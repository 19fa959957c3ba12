import { expect, test, vi } from 'vitest';
import type { Runtime } from 'webextension-polyfill';
import { messageRouter, type RouterParts } from './message-router.ts';

const answered = vi.fn(async () => ({ ok: true as const, value: 'done' }));
const every = new Proxy({}, { get: () => answered });

function router(parts: Partial<RouterParts> = {}) {
  answered.mockClear();
  return messageRouter({
    content: every as RouterParts['content'],
    page: every as RouterParts['page'],
    isOwnPage: (sender) => sender.url === 'ours',
    contentSender: async (sender) =>
      sender.url === 'enabled' ? { tabId: 1, frameId: 0, url: 'https://crm.example/' } : undefined,
    openPanel: () => {},
    ...parts,
  });
}
const from = (url: string) => ({ url }) as Runtime.MessageSender;
const refusal = (code: string) => ({ ok: false, error: { code } });

test('claims no message of an unknown type', () => {
  const route = router();
  for (const message of [
    undefined,
    null,
    'text',
    {},
    { type: 5 },
    { type: 'toString' },
    { type: 'background.changed' },
  ])
    expect(route(message, from('ours'))).toBeUndefined();
});

test.each(['page.settings', 'page.state', 'page.forgetHistory', 'page.testConnection'])(
  'refuses %s from a content script',
  async (type) => {
    expect(await router()({ type }, from('enabled'))).toEqual(refusal('notAllowedHere'));
    expect(answered).not.toHaveBeenCalled();
  },
);

test('cuts the name of whom a page of ours calls to what the relay takes', async () => {
  const message = { type: 'page.dial', click: 'A'.repeat(22), input: '4832221000', name: 'A'.repeat(242) };
  await router()(message, from('ours'));
  expect(answered).toHaveBeenCalledWith(expect.objectContaining({ name: 'A'.repeat(200) }));
});

const longDisplay = `1${' '.repeat(190)}234567`;
test.each([
  { type: 'page.knownNumbers', displays: [longDisplay] },
  { type: 'page.excludeNumber', host: 'crm.example', number: longDisplay, isExcluded: true },
  {
    type: 'page.dial',
    click: 'A'.repeat(22),
    input: longDisplay,
    shown: { display: longDisplay, to: '1234567' },
  },
  { type: 'content.tip', display: longDisplay },
])('$type takes a display as long as the text of a number', async (message) => {
  const sender = from(message.type.startsWith('page') ? 'ours' : 'enabled');
  expect(await router()(message, sender)).toMatchObject({ ok: true });
});

test("refuses a content script's requests for secrets or settings", async () => {
  const route = router();
  expect(await route({ type: 'page.setSecret', name: 'agentKey', value: 'x' }, from('enabled'))).toEqual(
    refusal('notAllowedHere'),
  );
  expect(await route({ type: 'page.saveSettings', settings: {} }, from('enabled'))).toEqual(
    refusal('notAllowedHere'),
  );
  expect(answered).not.toHaveBeenCalled();
});

test('refuses a frame of a site that is not enabled', async () => {
  expect(await router()({ type: 'content.hello' }, from('https://evil.example'))).toEqual(
    refusal('notAllowedHere'),
  );
  expect(answered).not.toHaveBeenCalled();
});

test.each([
  {
    type: 'content.dial',
    click: 'short',
    source: { text: '1', contextWords: 'none' },
    shown: { display: '1', to: '1' },
  },
  {
    type: 'content.dial',
    click: 'A'.repeat(22),
    source: { text: 'x'.repeat(201), contextWords: 'none' },
    shown: { display: '1', to: '1' },
  },
  {
    type: 'content.dial',
    click: 'A'.repeat(22),
    source: { text: '1', contextWords: 'loud' },
    shown: { display: '1', to: '1' },
  },
  {
    type: 'content.dial',
    click: 'A'.repeat(22),
    source: { text: '1', contextWords: 'none', near: 'ZZ' },
    shown: { display: '1', to: '1' },
  },
  { type: 'content.dial', click: 'A'.repeat(22), source: { text: '1', contextWords: 'none' }, shown: '1' },
  { type: 'content.find', texts: Array(201).fill('1') },
])('refuses a malformed message before any handler runs: %j', async (message) => {
  expect(await router()(message, from('enabled'))).toEqual(refusal('badMessage'));
  expect(answered).not.toHaveBeenCalled();
});

test('replies with an error when a handler throws', async () => {
  const silence = vi.spyOn(console, 'error').mockImplementation(() => {});
  const broken = new Proxy({}, { get: () => async () => Promise.reject(new Error('disk')) });
  const route = router({ page: broken as RouterParts['page'] });
  expect(await route({ type: 'page.state' }, from('ours'))).toEqual(refusal('internal'));
  silence.mockRestore();
});

test.each(['QuotaExceededError', 'UnknownError'])(
  'names the storage when IndexedDB throws %s',
  async (name) => {
    const silence = vi.spyOn(console, 'error').mockImplementation(() => {});
    const full = new Proxy(
      {},
      { get: () => async () => Promise.reject(new DOMException('disk full', name)) },
    );
    const route = router({ page: full as RouterParts['page'] });
    expect(await route({ type: 'page.state' }, from('ours'))).toEqual(refusal('storageFailed'));
    silence.mockRestore();
  },
);

test('routes an allowed, well-formed message to its handler', async () => {
  const route = router();
  expect(await route({ type: 'page.state' }, from('ours'))).toEqual({ ok: true, value: 'done' });
  expect(await route({ type: 'content.hello' }, from('enabled'))).toEqual({ ok: true, value: 'done' });
});

test('opens the panel before anything is awaited', async () => {
  const openPanel = vi.fn();
  const reply = router({ openPanel })({ type: 'content.openPanel' }, from('enabled'));
  expect(openPanel).toHaveBeenCalledOnce();
  expect(await reply).toMatchObject({ ok: true });
});

test('passes a pasted key on without the characters that no header may have', async () => {
  const setSecret = vi.fn(async () => ({ ok: true, value: {} }));
  const route = router({ page: { 'page.setSecret': setSecret } as unknown as RouterParts['page'] });
  const pasted = '\uFEFF\u201Cdma_ab\u200Bcd\u201D\u00A0';
  await route({ type: 'page.setSecret', name: 'agentKey', value: pasted }, from('ours'));
  expect(setSecret).toHaveBeenCalledWith(expect.objectContaining({ value: 'dma_abcd' }));
});
