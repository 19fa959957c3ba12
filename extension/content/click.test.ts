// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import { handleClicks } from './click.ts';

/** jsdom's events are never trusted: these pass for it. */
vi.mock('./listen.ts', () => ({
  listen(types: string | string[], handle: (event: Event) => unknown, signal: AbortSignal) {
    const trusted = (event: Event) =>
      new Proxy(event, {
        get(target, name) {
          const value = name === 'isTrusted' ? true : Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    for (const type of [types].flat())
      addEventListener(type, (event) => handle(trusted(event)), { capture: true, signal });
  },
}));

/** What the page heard of its link. */
const heard: string[] = [];
let asked = 0;
let reply: unknown;
let link: HTMLAnchorElement;

beforeEach(() => {
  heard.length = asked = 0;
  document.body.innerHTML = '<a href="tel:0800555">Ligue</a>';
  link = document.querySelector('a')!;
  link.addEventListener('click', (event) => {
    heard.push('click');
    event.preventDefault();
  });
  const controller = new AbortController();
  const runtime = {
    isAlive: () => true,
    async send(type: string) {
      if (type === 'content.judgeLink' && ++asked > 9) return new Promise(() => {});
      return reply;
    },
  };
  const overlay = { text: String, hasFocus: () => false, link };
  handleClicks({} as never, overlay as never, runtime as never, { signal: controller.signal });
  return () => controller.abort();
});

const settled = () => new Promise((resolve) => setTimeout(resolve));
const enter = () => new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });

test.each([
  ['click of a screen reader', () => link.click()],
  ['Enter', () => link.dispatchEvent(enter())],
])('the first %s on a link that is excluded here reaches the page', async (_, press) => {
  reply = { ok: true, value: null };
  press();
  await settled();
  expect(heard).toEqual(['click']);
});

test('a link is asked about once where the background does not reply', async () => {
  reply = { ok: false };
  link.click();
  await settled();
  expect(asked).toBe(1);
  expect(heard).toEqual([]);
});
