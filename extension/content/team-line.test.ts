// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import type { BackgroundConnection } from './background-connection.ts';
import type { Target } from './click-target.ts';
import type { PageOverlay } from './overlay.ts';
import { createTeamLine } from './team-line.ts';

type Send = (type: string, fields: object) => Promise<unknown>;
const row = { querySelectorAll: () => [{ origin: 'null', href: 'https://crm.example/t/7' }] };
const target = (display: string) =>
  ({ key: { closest: () => row }, number: { display } }) as unknown as Target;
vi.stubGlobal('origin', 'null');
const record = { record: { system: 'rt', kind: 'ticket', id: '4711' }, label: 'ticket 4711 · rt' };
/** Lets the replies that are there arrive. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

function lineWith(send: Send) {
  const showTeamLine = vi.fn();
  const asked = vi.fn(send);
  const overlay = { showTeamLine } as unknown as PageOverlay;
  const line = createTeamLine(overlay, { send: asked } as unknown as BackgroundConnection);
  return { line, showTeamLine, asked };
}
const replies =
  (tip: object): Send =>
  async (type) => ({ ok: true, value: type === 'content.tip' ? tip : record });

test('asks what is known of a number when its tip opens, once', async () => {
  const { line, showTeamLine, asked } = lineWith(replies({ words: 'Ana Prado, Acme' }));
  expect(asked).not.toHaveBeenCalled();
  const ana = target('+55 48 3222-1000');
  line.show(ana);
  await settle();
  expect(asked.mock.calls).toEqual([
    ['content.record', { links: ['https://crm.example/t/7'] }],
    ['content.tip', { display: '+55 48 3222-1000' }],
  ]);
  expect(showTeamLine).toHaveBeenLastCalledWith('Ana Prado, Acme · ticket 4711 · rt', undefined);
  expect(line.recordOf(ana)).toEqual(record.record);
  line.show(ana);
  expect(asked).toHaveBeenCalledTimes(2);
});

test('shows a name that is known while the rest is asked for', async () => {
  const rest: ((value: unknown) => void)[] = [];
  const { line, showTeamLine, asked } = lineWith(async (type, fields) => {
    if (type !== 'content.tip') return { ok: true, value: record };
    if ('isNameShown' in fields) return new Promise((resolve) => rest.push(resolve));
    return { ok: true, value: { words: 'Ana Prado, Acme', isPartial: true } };
  });
  line.show(target('+55 48 3222-1000'));
  await settle();
  expect(showTeamLine).toHaveBeenLastCalledWith('Ana Prado, Acme · ticket 4711 · rt', undefined);
  expect(asked).toHaveBeenLastCalledWith('content.tip', {
    display: '+55 48 3222-1000',
    isNameShown: true,
  });
  rest[0]!({ ok: true, value: { words: 'Ana Prado, Acme · Marta is calling this number.' } });
  await settle();
  expect(showTeamLine).toHaveBeenLastCalledWith(
    'Ana Prado, Acme · Marta is calling this number. · ticket 4711 · rt',
    undefined,
  );
});

test('names the record before the relay has said anything of the number', async () => {
  const { line, showTeamLine } = lineWith((type) =>
    type === 'content.tip' ? new Promise(() => {}) : Promise.resolve({ ok: true, value: record }),
  );
  line.show(target('190'));
  await settle();
  expect(showTeamLine).toHaveBeenLastCalledWith(record.label, undefined);
});

test('takes the button away where somebody asked not to be called', async () => {
  const { line, showTeamLine } = lineWith(replies({ words: 'Asked not to be called.', isRefused: true }));
  line.show(target('+55 48 3222-1000'));
  await settle();
  expect(showTeamLine.mock.lastCall).toEqual(['Asked not to be called. · ticket 4711 · rt', true]);
});

test('drops what is known of a number that the tip has left', async () => {
  const late: ((value: unknown) => void)[] = [];
  const { line, showTeamLine } = lineWith((type) =>
    type === 'content.tip' ? new Promise((resolve) => late.push(resolve)) : new Promise(() => {}),
  );
  line.show(target('+55 48 3222-1000'));
  line.show(target('+55 48 3222-2000'));
  late[0]!({ ok: true, value: { words: 'Ana Prado' } });
  await settle();
  expect(showTeamLine).not.toHaveBeenCalled();
});
