// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import type { ContentRequest } from '../messages/content.ts';
import type { BackgroundConnection } from './background-connection.ts';
import type { Target } from './click-target.ts';
import { createDialler } from './dial-target.ts';
import type { PageOverlay } from './overlay.ts';

// Node 24 has none yet.
Object.assign(Uint8Array.prototype, { toBase64: () => 'A'.repeat(22) });

test('places a confirmed call whose text the page has replaced during the question', async () => {
  document.body.innerHTML = '<ul><li><b>Ana Prado</b> <a href="/tickets/7">Ticket</a> <i>4899</i></li></ul>';
  const cell = document.querySelector('i')!;
  const place = { startContainer: cell.firstChild };
  const number = { display: '4899', to: '4899', verdict: 'allow' };
  const target = { kind: 'mark', key: { place, before: '' }, source: { text: '4899' }, number };
  const sent: ContentRequest<'content.dial'>[] = [];
  const send = async (_type: string, fields: ContentRequest<'content.dial'>) => {
    sent.push(fields);
    return fields.confirmed
      ? { ok: true, value: { id: fields.click } }
      : { ok: false, error: { code: 'confirmFirst', detail: 'Again?' } };
  };
  const overlay = {
    text: String,
    showNotice() {},
    showCall: vi.fn(),
    async confirm() {
      cell.textContent = '4899 (updated)';
      return 0;
    },
  };
  const { dial } = createDialler(
    overlay as unknown as PageOverlay,
    { send } as unknown as BackgroundConnection,
    new AbortController().signal,
  );
  await dial(target as unknown as Target, false);
  expect(overlay.showCall).toHaveBeenCalledOnce();
  expect(sent.map(({ confirmed }) => confirmed)).toEqual([false, true]);
  // The call is about the row that the agent saw.
  expect(sent.map(({ links, name }) => [links, name?.split('\n')[0]])).toEqual(
    Array(2).fill([[`${origin}/tickets/7`], 'Ana Prado']),
  );
});
