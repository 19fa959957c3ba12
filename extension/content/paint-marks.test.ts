// @vitest-environment jsdom
import { beforeAll, expect, test, vi } from 'vitest';
import { type Mark, Marks } from './paint-marks.ts';

beforeAll(() => {
  // jsdom paints nothing.
  Object.assign(globalThis, {
    CSS: { highlights: new Map() },
    Highlight: Set,
    StaticRange: class {},
    CSSStyleSheet: class {},
  });
});

const number = { display: '(48) 3322-4455', to: '4833224455', verdict: 'allow' } as const;

function markIn(block: Element, of: Partial<Mark> = {}): Mark {
  const text = block.firstChild as Text;
  const startOffset = text.data.indexOf('3322');
  return {
    block,
    place: { startContainer: text, startOffset, endContainer: text, endOffset: startOffset + 9 },
    pageText: '3322-4455',
    before: 'tel. ',
    source: { text: '3322-4455', contextWords: 'none' },
    number: { ...number },
    ...of,
  };
}

test('keeps the mark of a number that is read again unchanged', () => {
  document.body.innerHTML = '<p>tel. 3322-4455</p>';
  const block = document.querySelector('p')!;
  const marks = new Marks(new AbortController().signal);
  marks.set(block, [markIn(block)]);
  const [first] = marks.of(block);
  marks.set(block, [markIn(block)]);
  expect(marks.of(block)[0]).toBe(first);
  expect(marks.size).toBe(1);

  const other = markIn(block, { number: { ...number, verdict: 'confirm' } });
  marks.set(block, [other]);
  expect(marks.of(block)[0]).toBe(other);
});

test('paints a number again under the same mark where its row was moved', () => {
  document.body.innerHTML = '<p>tel. 3322-4455</p>';
  const block = document.querySelector('p')!;
  const marks = new Marks(new AbortController().signal);
  marks.set(block, [markIn(block)]);
  const [first] = marks.of(block);
  const highlight = CSS.highlights.get('dialmark-number')!;
  const [range] = highlight;
  // As Firefox changes it.
  Object.assign(range!, { collapsed: true });
  marks.set(block, [markIn(block)]);
  expect(marks.of(block)[0]).toBe(first);
  expect(highlight).not.toContain(range);
  expect(highlight.size).toBe(1);
});

test('registers a number that did not change only once', () => {
  document.body.innerHTML = '<p>tel. 3322-4455</p>';
  const block = document.querySelector('p')!;
  const marks = new Marks(new AbortController().signal);
  marks.set(block, [markIn(block)]);
  const highlight = CSS.highlights.get('dialmark-number')!;
  const add = vi.spyOn(highlight, 'add');
  const remove = vi.spyOn(highlight, 'delete');
  for (let read = 0; read < 3; read++) marks.set(block, [markIn(block)]);
  expect(add).not.toHaveBeenCalled();
  expect(remove).not.toHaveBeenCalled();
  marks.drop(block);
  expect(remove).toHaveBeenCalledTimes(1);
});

test('changes no node of the page', () => {
  document.body.innerHTML = '<p>tel. 3322-4455</p>';
  const before = document.documentElement.outerHTML;
  const [block, text] = [document.querySelector('p')!, document.querySelector('p')!.firstChild];
  const marks = new Marks(new AbortController().signal);
  marks.set(block, [markIn(block)]);
  expect(marks.size).toBe(1);
  expect(document.documentElement.outerHTML).toBe(before);
  expect(block.firstChild).toBe(text);
});

test('makes a new mark for a number that moved in the text', () => {
  document.body.innerHTML = '<p>tel. 3322-4455</p>';
  const block = document.querySelector('p')!;
  const marks = new Marks(new AbortController().signal);
  const first = markIn(block);
  marks.set(block, [first]);
  (block.firstChild as Text).data = 'telefone 3322-4455';
  marks.set(block, [markIn(block)]);
  expect(marks.of(block)).toHaveLength(1);
  expect(marks.of(block)[0]).not.toBe(first);
});
