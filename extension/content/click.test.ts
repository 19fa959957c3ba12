// @vitest-environment jsdom
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handleClicks } from './click.ts';

vi.mock('./listen.ts', () => import('../../testing/extension/trusted-listen.ts'));
vi.stubGlobal('chrome', {});

/** What the page heard of its link. */
const heard: string[] = [];
let asked = 0;
let reply: unknown;
/** How often a press was taken for a call, or for a question on a page of ours. */
let accepted = 0;
let askedElsewhere = 0;
let link: HTMLAnchorElement;

beforeEach(() => {
  heard.length = asked = accepted = askedElsewhere = 0;
  document.body.innerHTML = '<a href="tel:0800555">Ligue</a>';
  link = document.querySelector('a')!;
  link.addEventListener('click', (event) => {
    heard.push('click');
    event.preventDefault();
  });
  const controller = new AbortController();
  const background = {
    isAlive: () => true,
    async send(type: string, fields: { isAskedElsewhere?: boolean }) {
      if (type === 'content.judgeLink' && ++asked > 9) return new Promise(() => {});
      if (type === 'content.dial' && fields.isAskedElsewhere) askedElsewhere++;
      return reply;
    },
  };
  const overlay = {
    text: String,
    hasFocus: () => false,
    isFocusing: () => false,
    listen() {},
    show() {},
    showNotice() {},
    showCall() {},
    hide() {},
    position() {},
    isLegible() {
      accepted++;
      return false;
    },
    readLayersOverTip: async () => ({ near: [], inTopLayer: [] }),
    coverOfTip: () => 'clear',
    isOnTop: () => true,
    link: document.createElement('a'),
  };
  handleClicks({ near: () => [] } as never, overlay as never, background as never, {
    signal: controller.signal,
  });
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

describe('Enter on a telephone link', () => {
  const other = document.createElement('button');
  let now = 0;
  beforeEach(async () => {
    document.body.append(other);
    Element.prototype.checkVisibility = () => true;
    Range.prototype.getClientRects = Element.prototype.getClientRects;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    // Node 24 has none yet.
    Object.assign(Uint8Array.prototype, { toBase64: () => 'A'.repeat(22) });
    reply = { ok: true, value: { display: '0800 555', to: '0800555' } };
    // Its number is known from here on.
    link.click();
    await settled();
    other.focus();
    now += 1000;
    askedElsewhere = 0;
  });
  const key = (type: string, key: string) =>
    document.activeElement!.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, cancelable: true }));
  const onTab = (handle: (event: Event) => void) => other.addEventListener('keydown', handle, { once: true });
  const press = () => key('keydown', 'Tab');

  test('is taken for a call where Tab focused it, however late', async () => {
    press();
    now += 1000;
    link.focus();
    key('keyup', 'Tab');
    now += 400;
    key('keydown', 'Enter');
    await settled();
    expect(accepted).toBe(1);
  });

  const focus = () => link.focus();
  test.each<[string, (() => unknown)[]]>([
    ['without a key', [focus]],
    [
      'in place of Tab',
      [() => onTab((event) => event.preventDefault()), () => onTab(() => setTimeout(focus)), press],
    ],
    ['while it handles Tab', [() => onTab(focus), press]],
    ['after Tab moved the focus', [press, () => other.blur(), () => other.focus(), focus]],
    ['after Tab was released', [press, () => key('keyup', 'Tab'), focus]],
    ['after Tab left the window', [press, () => dispatchEvent(new Event('blur')), focus]],
    ['after another key', [press, () => key('keydown', 'Shift'), focus]],
    ['after a press', [press, () => other.dispatchEvent(new Event('pointerdown')), focus]],
  ])('is asked about on our own page where the page focused it %s', async (_, steps) => {
    for (const step of steps) step();
    await settled();
    expect(document.activeElement).toBe(link);
    now += 1000;
    key('keydown', 'Enter');
    now += 120;
    key('keydown', 'Enter');
    expect(askedElsewhere).toBe(0);
    now += 400;
    key('keydown', 'Enter');
    await settled();
    expect(askedElsewhere).toBe(1);
    expect(accepted).toBe(0);
  });
});
