// @vitest-environment jsdom
import { afterEach, describe, expect, test, vi } from 'vitest';
import { blockTextOf } from '../../testing/extension/block-text-of.ts';
import { charactersLookedAt } from '../../testing/extension/characters-looked-at.ts';
import { isReadableText, isStillThere, readBlock } from './block-text.ts';

const block = (html: string) => {
  document.body.innerHTML = html;
  return document.body.firstElementChild!;
};

afterEach(() => void vi.restoreAllMocks());

describe('the work of reading', () => {
  /** Characters of every text that is cut while a log of so many coloured lines is read. */
  const charactersCut = (lines: number): number => {
    const log = block(`<pre>${'<i>entry written</i>\n'.repeat(lines)}</pre>`);
    const { slice } = String.prototype;
    let count = 0;
    vi.spyOn(String.prototype, 'slice').mockImplementation(function (this: string, ...range) {
      count += this.length;
      return slice.apply(this, range);
    });
    blockTextOf(log);
    vi.restoreAllMocks();
    return count;
  };

  test('grows with the number of text nodes in one block', () => {
    expect(charactersCut(2_000) / charactersCut(1_000)).toBeLessThan(2.2);
  });

  test('grows with the number of directional characters in one text node', async () => {
    const ofCharacters = (count: number) => {
      const paragraph = block(`<p>${'1\u2066'.repeat(count)}</p>`);
      return charactersLookedAt(() => blockTextOf(paragraph));
    };
    // The first reading has jsdom parse its own style sheet.
    await ofCharacters(1);
    expect((await ofCharacters(2_000)) / (await ofCharacters(1_000))).toBeLessThan(2.2);
  });

  test('keeps one piece for each text node, however many words it has', () => {
    expect(blockTextOf(block(`<p>${'many words '.repeat(10_000)}</p>`)).pieces).toHaveLength(1);
  });

  test('pauses inside one block of many nodes', () => {
    expect([...readBlock(block(`<pre>${'<i>a</i> '.repeat(2_000)}</pre>`))].length).toBeGreaterThan(10);
  });

  test.each([
    ['of many words', 'word '.repeat(10_000)],
    ['of directional characters without a blank', '1\u2066'.repeat(10_000)],
    ['of one long word', 'word'.repeat(100_000)],
  ])('pauses inside one text node %s', (_, text) => {
    expect([...readBlock(block(`<pre>${text}</pre>`))].length).toBeGreaterThan(10);
  });
});

test.each([
  ['<p><label>Wife</label><span>0163 7294518</span></p>', 'Wife 0163 7294518'],
  ['<p><label>Wife <b>0163</b></label></p>', 'Wife 0163'],
  ['<p><span>02 41 88 42 10</span><small>ADELI 491</small></p>', '02 41 88 42 10 ADELI 491'],
  ['<p>Herr Yildiz<span>0176 44120937</span></p>', 'Herr Yildiz 0176 44120937'],
  ['<p>INV<mark>0176 44120937</mark></p>', 'INV0176 44120937'],
  ['<p>0176 4412093<mark>7</mark></p>', '0176 44120937'],
  ['<p><span>Kaveri Ltd</span><span>+91 98204</span><i>41873</i></p>', 'Kaveri Ltd +91 9820441873'],
  ['<p><b>800 204 117</b><span>24 h</span></p>', '800 204 117\n24 h'],
  ['<p><b>022-6641 8827</b><span>400093</span></p>', '022-6641 8827\n400093'],
  ['<p><b>+55 48 3322</b><span>4455</span></p>', '+55 48 33224455'],
  ['<p>the 2<i>nd</i> of <b>A</b>4, 2<b>n</b>d</p>', 'the 2nd of A4, 2nd'],
  ['<p><b>E</b><span>0163 7294518</span></p>', 'E0163 7294518'],
])('sets what is beside a number apart from it: %s', (html, text) => {
  expect(blockTextOf(block(html)).text).toBe(text);
});

test.each([
  [
    '<div><small style="display:block;overflow:visible">zap</small><small style="display:block;overflow:visible">CEP 27674-389</small></div>',
    'zap\nCEP 27674-389',
  ],
  ['<div><small>zap</small><small>CEP 27674-389</small></div>', 'zapCEP 27674-389'],
])('a line break is between inline elements that are laid out as blocks: %s', (html, text) => {
  expect(blockTextOf(block(html)).text).toBe(text);
});

/** Numbers in a paragraph that can be read as they are written. */
const readable = (html: string): string[] => {
  const read = blockTextOf(block(html));
  return [...read.text.matchAll(/[\d-]+(?: [\d-]+)*/g)]
    .filter(({ index, 0: found }) => isReadableText(read, index, index + found.length))
    .map(([found]) => found);
};

describe('text in another order than it is written', () => {
  test.each([
    ['after an override character', '<p>Tel. \u202e1234-56789 11\u202c</p>'],
    ['after one in another element', '<p>Tel. <i>\u202e</i><b>1234-56789</b> 11</p>'],
    ['after an override that an embedding does not end', '<p>Tel. \u202e\u202a\u202c11 98765</p>'],
    [
      'in an element that overrides',
      '<p>Tel. <bdo style="unicode-bidi:bidi-override;direction:rtl">11 98765</bdo></p>',
    ],
    ['in a block that overrides', '<p style="unicode-bidi:isolate-override;direction:rtl">11 98765</p>'],
  ])('is not readable %s', (_, html) => {
    expect(readable(html)).toEqual([]);
  });

  test.each([
    ['after an ended override', '<p>\u202eabc\u202c, tel. 11 98765</p>'],
    ['after a line break', '<p>\u202eabc<br>tel. 11 98765</p>'],
    ['in an override from left to right', '<p>\u202d11 98765\u202c</p>'],
    ['in an embedding', '<p>\u202a11 98765\u202c</p>'],
  ])('is readable %s', (_, html) => {
    expect(readable(html)).toEqual(['11 98765']);
  });
});

describe('invisible digits', () => {
  const within = (style: string) => `<p style="color:#000">11 98<i style="${style}">7</i>65-4321, 190</p>`;

  test.each([
    ['are transparent', 'opacity:0'],
    ['are cut away', 'clip-path:inset(50%)'],
    ['are blurred', 'filter:blur(9px)'],
    ['have a transparent colour', 'color:transparent'],
    ['have the colour behind them', 'color:#fefefe'],
    ['have a background of their own colour', 'background-color:rgb(0, 0, 0)'],
  ])('make the number around them unreadable where they %s', (_, style) => {
    expect(readable(within(style))).toEqual(['190']);
  });

  test.each([
    [
      'elements in each other add up to transparent',
      '<b style="opacity:.3"><i style="opacity:.3">4321</i></b>',
    ],
    ['they are too small to be seen', '<i style="font-size:.1px">4321</i>'],
  ])('make the number around them unreadable where %s', (_, digits) => {
    expect(readable(`<p>11 98765-${digits}, or at any time 190</p>`)).toEqual(['190']);
  });

  test.each([
    ['another colour than the block', 'color:#fff;background-color:#036'],
    ['a picture behind it', 'color:#fff;background-image:url(a.png)'],
    ['a pale colour', 'color:#ddd'],
  ])('are not text with %s', (_, style) => {
    expect(readable(within(style))).toEqual(['11 98765-4321', '190']);
  });
});

test('notices that the page changed a text after it was read', () => {
  const paragraph = block('<p>call <b>11</b>\n98765</p>');
  const read = blockTextOf(paragraph);
  const start = read.text.indexOf('11');
  expect(isStillThere(read, start, read.text.length)).toBe(true);
  (paragraph.lastChild as Text).data = '\n98764';
  expect(isStillThere(read, start, read.text.length)).toBe(false);
});
