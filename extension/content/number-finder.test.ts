// @vitest-environment jsdom
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ContentMessage, ContentReply, ContentRequest, FoundNumber } from '../messages/content.ts';
import type { BackgroundConnection } from './background-connection.ts';
import { NumberFinder } from './number-finder.ts';

const number = { display: 'x', to: '1', verdict: 'allow' } as const;

/** A background that finds a number in every run of digits, spaces and dashes. */
function fakeBackground() {
  const asked: string[][] = [];
  const labels: string[] = [];
  const background: BackgroundConnection = {
    isAlive: () => true,
    onMessage: () => {},
    send: async <M extends ContentMessage>(_type: M, fields: ContentRequest<M>) => {
      const { texts, labels: sent } = fields as ContentRequest<'content.find'>;
      asked.push(texts);
      labels.push(...(sent ?? []));
      const found: FoundNumber[][] = texts.map((text) =>
        [...text.matchAll(/\d[\d -]+\d/g)].map(({ index, 0: digits }) => ({
          start: index,
          end: index + digits.length,
          source: { text: digits, contextWords: 'none' },
          number,
        })),
      );
      return { ok: true, value: found as ContentReply<M> };
    },
  };
  return { background, asked, labels };
}

const block = (html: string) => {
  document.body.innerHTML = html;
  return document.body.firstElementChild!;
};

beforeAll(() => {
  // jsdom lays nothing out: everything is visible, and `display` comes from its style attribute or the element's name.
  Element.prototype.checkVisibility = () => true;
  Element.prototype.getBoundingClientRect = () => new DOMRect(0, 0, 100, 20);
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
});

afterEach(() => void vi.restoreAllMocks());

/** The element of the last text. */
const lastBlock = (node: Node): Element => (node.lastChild ? lastBlock(node.lastChild) : node.parentElement!);

describe('the work of finding', () => {
  /** A grid whose cells are inline by name: heads, then so many rows. */
  const gridOf = (rows: number) => {
    const cell = (text: string, left: number, top: number) =>
      `<span style="display:block" data-at="${left} ${top}">${text}</span>`;
    const lines = Array.from({ length: rows }, (_, row) => [
      cell('Ana', 0, 20 * row + 20),
      cell('order 4711', 100, 20 * row + 20),
    ]);
    const heads = [cell('Name', 0, 0), cell('Order', 100, 0)];
    return block(`<div style="display:grid">${[heads, ...lines].flat().join('')}</div>`);
  };
  const measureBoxes = () =>
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      const [left, top] = (this.getAttribute('data-at') ?? '0 0').split(' ').map(Number);
      return new DOMRect(left, top, 100, 20);
    });

  test('measures boxes in proportion to the lines of a grid', async () => {
    const boxesOfRows = async (rows: number) => {
      const measured = measureBoxes();
      await new NumberFinder(fakeBackground().background).find([gridOf(rows)]);
      const { length } = measured.mock.calls;
      vi.restoreAllMocks();
      return length;
    };
    expect((await boxesOfRows(400)) / (await boxesOfRows(200))).toBeLessThan(2.2);
  });
});

describe('find', () => {
  test('sends the heads of a table with each of its later excerpts', async () => {
    const { background, labels } = fakeBackground();
    const rows = '4833221100 | 4899112233 | entregue<br>'.repeat(60);
    await new NumberFinder(background).find([block(`<p>lote | celular | estado<br>${rows}</p>`)]);
    expect(labels.length).toBeGreaterThan(1);
    for (const label of labels.slice(1)) expect(label).toBe('lote | celular | estado\n');
  });

  test('places a number that runs over inline elements', async () => {
    const { background } = fakeBackground();
    const paragraph = block('<p>call <b>55 11</b> 98765-4321</p>');
    const [mark] = new Map(await new NumberFinder(background).find([paragraph])).get(paragraph)!;
    expect(mark).toMatchObject({ source: { text: '55 11 98765-4321' }, number });
    expect(mark!.place.startContainer).toBe(paragraph.querySelector('b')!.firstChild);
    expect(mark!.place.endContainer).toBe(paragraph.lastChild);
  });

  test('keeps the full number where the text has only its end', async () => {
    const source = { text: '7891', whole: '3456-7891', contextWords: 'phone' } as const;
    const found: FoundNumber[][] = [[{ start: 10, end: 14, source, number }]];
    const background: BackgroundConnection = {
      ...fakeBackground().background,
      send: async <M extends ContentMessage>() => ({ ok: true, value: found as ContentReply<M> }),
    };
    const paragraph = block('<p>3456-7890/7891</p>');
    const [mark] = new Map(await new NumberFinder(background).find([paragraph])).get(paragraph)!;
    expect(mark).toMatchObject({ source });
  });

  test('never joins digits of different boxes', async () => {
    const { background } = fakeBackground();
    const row = block(
      '<p><span style="display:block">1234567</span><span style="display:block">7654321</span></p>',
    );
    const marks = new Map(await new NumberFinder(background).find([row])).get(row)!;
    expect(marks.map(({ source }) => source.text)).toEqual(['1234567', '7654321']);
  });

  test.each([
    [
      'of the part before it in a grid',
      '<div style="display: grid"><p>Nome</p><p>Ana</p><p>Fone</p><p>11 98765-4321</p></div>',
      'Fone',
    ],
    [
      'of the part before it in a row',
      '<div style="display: flex"><p>Nome</p><p>Ana</p><p>Fone</p><p>11 98765-4321</p></div>',
      'Fone',
    ],
    [
      'of no part before it among many',
      '<div><p>Nome</p><p>Ana</p><p>Fone</p><p>11 98765-4321</p></div>',
      '',
    ],
    [
      'of the part before it where two kinds of parts alternate',
      '<div><p>Fone</p><h6>11 98765-4321</h6><p>Nome</p><h6>Ana</h6><p>Pedido</p><h6>11 98765-4321</h6></div>',
      'Pedido',
    ],
    [
      'of the box in front of it in its own element',
      '<section><div><div>Pedido</div>11 98765-4321</div></section>',
      'Pedido',
    ],
    [
      'of the box before the one of its paragraph',
      '<div><div><p>Pedido</p></div><div><p>11 98765-4321</p></div></div>',
      'Pedido',
    ],
    ['of a heading in its card', '<div><h6>Pedido</h6><p>11 98765-4321</p></div>', 'Pedido'],
    ['of a term with its colon', '<dl><dt>Votes</dt><dd>4155550147</dd></dl>', 'Votes:'],
    ['of a name without a colon', '<div><p>Ana</p><p>11987654321</p></div>', 'Ana'],
    ['of no title', '<div><h2>Pedido</h2><p>11 98765-4321</p></div>', ''],
  ])('sends the label %s', async (_, html, label) => {
    const { background, labels } = fakeBackground();
    await new NumberFinder(background).find([lastBlock(block(html))]);
    expect(labels).toEqual([label]);
  });

  test.each([
    [
      'before it in a row of cells and their labels',
      '<tr><td>Fone</td><td>1</td><td>Pedido</td><td>11 98765-4321</td></tr>',
      'Pedido',
    ],
    [
      'before it in such a row under another without digits',
      '<tr><td class="l">Nome</td><td>Ana</td><td class="l">Empresa</td><td>Azul</td></tr><tr><td class="l">Fone</td><td>1</td><td class="l">Pedido</td><td>11 98765-4321</td></tr>',
      'Azul: Pedido',
    ],
    [
      'right over it where heads and cells alternate by row',
      '<tr><th>Nome</th><th>Fone</th></tr><tr><td>Ana</td><td>1</td></tr><tr><th>Valor</th><th>Pedido</th></tr><tr><td>2</td><td>11 98765-4321</td></tr>',
      'Pedido:',
    ],
    [
      'over it, of a row that only keeps the width of columns not',
      '<tr aria-hidden="true"><td>Nome</td><td>Fone</td><td>Nº</td></tr><tr><td>Ana</td><td>1</td><td>11 98765-4321</td></tr>',
      '',
    ],
    [
      'over it, of such a row of heads not',
      '<thead><tr><th>Nome</th><th>Fone</th></tr></thead><tbody><tr aria-hidden="true"><th>Nome</th><th>Nº</th></tr><tr><td>Ana</td><td>11 98765-4321</td></tr></tbody>',
      'Fone: Ana:',
    ],
    [
      'of a field in a row of a record',
      '<tr><td>Medidor</td><td>8187654321</td></tr><tr><td>Titular</td><td>Ana Gil</td></tr><tr><td>Ruta</td><td>5512345678</td></tr>',
      'Ruta:',
    ],
    [
      'of a person in a list of people',
      '<tr><td>Ana</td><td>8187654321</td></tr><tr><td>Rui</td><td>5512345678</td></tr>',
      'Rui',
    ],
    ['with its own number left out', '<tr><th>Order 1</th><td>4155550132</td></tr>', 'Order'],
    [
      'for telephones of a row under a head for any value',
      '<tr><th>Nr</th><th>Field</th><th>Value</th></tr><tr><td>1</td><td>Phone</td><td>4155550132</td></tr>',
      'Phone: Value:',
    ],
    [
      'over it through any number of boxes',
      `<tr><th>Fone</th><th>Pedido</th></tr><tr><td>1</td><td>${'<div>'.repeat(8)}11 98765-4321</td></tr>`,
      'Pedido:',
    ],
  ])('sends the head %s', async (_, rows, label) => {
    const { background, labels } = fakeBackground();
    await new NumberFinder(background).find([lastBlock(block(`<table>${rows}</table>`))]);
    expect(labels).toEqual([label]);
  });

  test('finds what stands behind another part directly in a shadow root', async () => {
    const { background, labels } = fakeBackground();
    const root = block('<div></div>').attachShadow({ mode: 'open' });
    root.innerHTML = '<p>Ana</p><p>Fone:</p><p>11 98765-4321</p>';
    root.innerHTML += '<p>Rui</p><p>11 98765-4322</p>';
    const finder = new NumberFinder(background);
    for (const paragraph of [root.children[2]!, root.children[4]!])
      expect(new Map(await finder.find([paragraph])).get(paragraph)).toHaveLength(1);
    expect(labels).toEqual(['Fone:', '']);
  });

  test('requests each text once until the settings change', async () => {
    const { background, asked } = fakeBackground();
    const finder = new NumberFinder(background);
    const paragraph = block('<p>11 98765-4321</p>');
    await finder.find([paragraph]);
    await finder.find([paragraph]);
    expect(asked).toEqual([['11 98765-4321']]);
    finder.clearCache();
    await finder.find([paragraph]);
    expect(asked).toHaveLength(2);
  });

  test('requests a text again whose reply was on its way when the settings changed', async () => {
    const { background, asked } = fakeBackground();
    const send: BackgroundConnection['send'] = async (...request) => {
      const reply = await background.send(...request);
      finder.clearCache();
      return reply;
    };
    const finder = new NumberFinder({ ...background, send });
    const paragraph = block('<p>11 98765-4321</p>');
    await finder.find([paragraph]);
    await finder.find([paragraph]);
    expect(asked).toHaveLength(2);
  });

  test('finds what it knows beside a new text when the cache is full', async () => {
    const { background } = fakeBackground();
    const finder = new NumberFinder(background);
    const page = block(
      `<div><p>11 98765-4321</p><p></p><pre>${Array.from({ length: 4_999 }, (_, index) => `11 9${10_000_000 + index}${' word'.repeat(60)}`)}</pre></div>`,
    );
    const [known, clock, log] = [...page.children];
    await finder.find([log!]);
    // As a clock beside a number: another text with every tick.
    for (let tick = 0; tick < 5; tick++) {
      clock!.textContent = `11 9${20_000_000 + tick}`;
      const found = await finder.find([known!, clock!]);
      expect(found.map(([, marks]) => marks.length)).toEqual([1, 1]);
    }
  });

  test('leaves out a number that the page changed before the background replied', async () => {
    const { background } = fakeBackground();
    const paragraph = block('<p>11 98765-4321</p>');
    const finding = new NumberFinder(background).find([paragraph]);
    (paragraph.firstChild as Text).data = '11 98765-4322';
    expect(new Map(await finding).get(paragraph)).toEqual([]);
  });

  test('returns no numbers while the background does not reply, then tries again', async () => {
    let fails = true;
    const { background } = fakeBackground();
    const flaky: BackgroundConnection = {
      ...background,
      send: async (...request) =>
        fails ? { ok: false, error: { code: 'internal' } } : background.send(...request),
    };
    const finder = new NumberFinder(flaky);
    const paragraph = block('<p>11 98765-4321</p>');
    expect(new Map(await finder.find([paragraph])).get(paragraph)).toEqual([]);
    fails = false;
    expect(new Map(await finder.find([paragraph])).get(paragraph)).toHaveLength(1);
  });
});
