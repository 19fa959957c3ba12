// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';
import { eventually } from '../testing/eventually.ts';

vi.stubGlobal('requestAnimationFrame', (render: () => void) => setTimeout(render));
/** The calls that each source of tickets has in its session. */
const added: Record<string, unknown[]> = {};
vi.mock('./session/shared-sessions.ts', () => ({
  joinSharedSession(_relay: string, source: string) {
    const calls: unknown[] = [];
    added[source] = calls;
    const snapshot = { calls, connection: { name: 'open' }, ready: true, mayHangUp: false };
    return { session: { snapshot, add: (call: unknown) => void calls.push(call) } };
  },
  leaveSharedSession() {},
}));
let answerDial = (_call: unknown) => {};
const placeCall = vi.fn(() => new Promise((resolve) => (answerDial = resolve)));
vi.mock('./dial/place-call.ts', () => ({ placeCallByTicket: () => placeCall() }));
await import('./element.tsx');

afterEach(async () => {
  document.body.innerHTML = '';
  // A widget that leaves the page renders once more, which must not come after the last test.
  await new Promise(requestAnimationFrame);
});

async function openWidget(ticketUrl: string) {
  document.body.innerHTML = `<dialmark-widget relay="https://relay.example" ticket-url="${ticketUrl}"></dialmark-widget>`;
  await eventually(() => expect(added).toHaveProperty(ticketUrl));
  return document.querySelector<HTMLElement & { dial(to: string): Promise<unknown> }>('dialmark-widget')!;
}

test.each([
  ['no country', '', '(48) 3222-1000'],
  ['an empty country', 'country=""', '(48) 3222-1000'],
  ['a country', 'country="us"', '(483) 222-1000'],
])('with %s, the field groups a number by it, else by the region of lang', async (_, country, grouped) => {
  const relay = 'relay="https://relay.example" ticket-url="/ticket"';
  document.body.innerHTML = `<dialmark-widget mode="dial" lang="pt-BR" ${relay} ${country}></dialmark-widget>`;
  const field = document.querySelector('dialmark-widget')!.shadowRoot!.querySelector('input')!;
  field.value = '4832221000';
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  expect(field.value).toBe(grouped);
});

test('a call is not shown to the agent who signs in while it is placed', async () => {
  const widget = await openWidget('/first');
  const dialled = widget.dial('4832221000');
  widget.setAttribute('ticket-url', '/second');
  await eventually(() => expect(added).toHaveProperty('/second'));
  const call = { id: 'A', state: 'disconnected' };
  answerDial(call);
  expect(await dialled).toBe(call);
  expect(added).toMatchObject({ '/first': [call], '/second': [] });
});

test('every further call is refused until the first one is placed', async () => {
  const widget = await openWidget('/third');
  placeCall.mockClear();
  const dialled = widget.dial('4832221000');
  await expect(widget.dial('')).rejects.toMatchObject({ code: 'notANumber' });
  const further = [1, 2].map(() => widget.dial('4832221000').catch(({ code }) => code));
  expect(placeCall).toHaveBeenCalledTimes(1);
  answerDial({ id: 'A', state: 'disconnected' });
  await dialled;
  expect(await Promise.all(further)).toEqual(['busy', 'busy']);
});

test('a recording that could not be played does not hide the player of the next call', async () => {
  const widget = await openWidget('/recordings');
  const shown = async (id: string) => {
    const recordingUrl = `https://pbx.example/${id}`;
    added['/recordings']![0] = { id, to: '48', state: 'disconnected', endedAt: '2026-11-21', recordingUrl };
    widget.toggleAttribute('mode');
    return eventually(() => {
      const player = widget.shadowRoot!.querySelector('audio')!;
      expect(player.src).toBe(recordingUrl);
      return player;
    });
  };
  const failed = await shown('A');
  failed.dispatchEvent(new Event('error'));
  expect(failed.hidden).toBe(true);
  expect((await shown('B')).hidden).toBe(false);
});

test('in a shadow root, the widget has the language of the page', async () => {
  document.documentElement.lang = 'es';
  const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
  root.innerHTML =
    '<dialmark-widget mode="dial" relay="https://relay.example" ticket-url="/shadow"></dialmark-widget>';
  expect(root.querySelector('dialmark-widget')!.shadowRoot!.textContent).toContain('Llamar');
  document.documentElement.lang = '';
});
