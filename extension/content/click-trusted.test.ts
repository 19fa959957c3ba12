// @vitest-environment jsdom
// With the real `listen.ts`, which click.test.ts replaces: jsdom's events are what a script makes.
import { expect, test } from 'vitest';
import { handleClicks } from './click.ts';

test('leaves events that a script made to the page', () => {
  document.body.innerHTML = '<a href="tel:0800555">Ligue</a>';
  const link = document.querySelector('a')!;
  const sent: string[] = [];
  const background = { isAlive: () => true, send: async (type: string) => void sent.push(type) };
  const overlay = {
    text: String,
    hasFocus: () => false,
    listen() {},
    link: document.createElement('a'),
  };
  const { signal } = new AbortController();
  handleClicks({ near: () => [] } as never, overlay as never, background as never, { signal });
  const event = (type: typeof KeyboardEvent | typeof MouseEvent, name: string) =>
    new type(name, { key: 'Enter', bubbles: true, cancelable: true });
  for (const each of [event(KeyboardEvent, 'keydown'), event(MouseEvent, 'click')]) {
    link.dispatchEvent(each);
    expect(each.defaultPrevented).toBe(false);
  }
  expect(sent).toEqual([]);
});
