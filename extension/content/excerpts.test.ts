// @vitest-environment jsdom
import { describe, expect, test } from 'vitest';
import { blockTextOf } from '../../testing/extension/block-text-of.ts';
import { charactersLookedAt } from '../../testing/extension/characters-looked-at.ts';
import { excerptsIn, excerptsOfBlock } from './excerpts.ts';

const excerptsOf = (text: string) => [...excerptsIn(text)].filter((excerpt) => excerpt !== undefined);

describe('excerpts', () => {
  test.each([
    ['a number with its context words', 'call me at 11 98765-4321 today', ['call me at 11 98765-4321 today']],
    ['a short number after a word that announces it', 'ramal 2034', ['ramal 2034']],
    ['Arabic-Indic digits', 'هاتف ٠٥٠١٢٣٤٥٦٧', ['هاتف ٠٥٠١٢٣٤٥٦٧']],
    ['Devanagari digits', 'मोबाइल ९८७६५४३२१०', ['मोबाइल ९८७६५४३२१०']],
    ['no short number without one', 'order 2034 of 12 May', []],
    ['no time of day', 'at 12:34:56 and 12:35:57', []],
    ['no text without digits', 'nothing here', []],
  ])('contain %s', (_, text, expected) => {
    expect(excerptsOf(text).map((excerpt) => excerpt.text)).toEqual(expected);
  });

  test('have the right offset in the text', () => {
    const text = `${'x '.repeat(200)}tel 11 98765-4321${' y'.repeat(200)}`;
    const [excerpt] = excerptsOf(text);
    expect(text.slice(excerpt!.at, excerpt!.at + excerpt!.text.length)).toBe(excerpt!.text);
    expect(excerpt!.text.length).toBeLessThan(200);
    expect(excerpt!.text).toContain('tel 11 98765-4321');
  });

  test('have whole lines, in a table of many lines', () => {
    const row = '4833221100  4899112233  entregue\n';
    const excerpts = excerptsOf(`lote        celular     estado\n${row.repeat(100)}`);
    expect(excerpts.length).toBeGreaterThan(2);
    for (const { text } of excerpts.slice(1)) expect(text).toMatch(/^[^\d]*\n4833221100/);
  });

  test('begin with the whole line of heads of a table behind other text', () => {
    const heads = 'id        | cod_barras    | ubicacion | uds | coste\n';
    const [excerpt] = excerptsOf(
      `SELECT id FROM stock;\n\n${heads}${'-'.repeat(50)}\n600474203 | 8410076472885\n`,
    );
    expect(excerpt!.text).toContain(heads);
  });

  test('are the same however long the text is', () => {
    const line =
      'written at 12:30 by Ana, tel 11 98765-4321, ramal 2034; nothing else is known about this order\n';
    const one = excerptsOf(line.repeat(3)).map(({ text }) => text.match(/\d{5}-\d{4}/g)?.length ?? 0);
    const many = excerptsOf(line.repeat(3_000)).map(({ text }) => text.match(/\d{5}-\d{4}/g)?.length ?? 0);
    const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
    expect(sum(many)).toBe(1_000 * sum(one));
  });

  test('never overlap or exceed the maximum length of a message', () => {
    const text = '11 98765-4321 and so on, '.repeat(400);
    const excerpts = excerptsOf(text);
    let end = 0;
    for (const excerpt of excerpts) {
      expect(excerpt.at).toBeGreaterThanOrEqual(end);
      expect(excerpt.text.length).toBeLessThanOrEqual(1_000);
      end = excerpt.at + excerpt.text.length;
    }
    expect(
      excerpts
        .map((excerpt) => excerpt.text)
        .join('')
        .match(/98765/g),
    ).toHaveLength(400);
  });
});

test('reads code behind a label for code', () => {
  document.body.innerHTML = `<pre><code>  '4155550132': 'A',</code></pre>`;
  const block = document.querySelector('code')!;
  const excerpts = [...excerptsOfBlock(block, blockTextOf(block))].filter((excerpt) => excerpt !== undefined);
  expect(excerpts).toEqual([{ at: 0, from: 1, text: "'4155550132': 'A',", label: 'Code:' }]);
});

test('takes the label of a cell from the page, not from the shadow root that shows the row', () => {
  document.body.innerHTML = '<div style="display: flex"><span>Pedido<br></span><span>4833224455</span></div>';
  const block = document.querySelector('div')!;
  block.attachShadow({ mode: 'open' }).innerHTML = '<b>Telefone</b><slot></slot>';
  const excerpts = [...excerptsOfBlock(block, blockTextOf(block))].filter((excerpt) => excerpt !== undefined);
  expect(excerpts).toMatchObject([{ text: '4833224455', label: 'Pedido' }]);
});

const oneLine = (numbers: number) => 'call 11 98765-4321 before noon, '.repeat(numbers);

describe('the work of dividing a text', () => {
  test('grows with the length of one line', async () => {
    const half = await charactersLookedAt(() => excerptsOf(oneLine(5_000)));
    expect((await charactersLookedAt(() => excerptsOf(oneLine(10_000)))) / half).toBeLessThan(2.2);
  });

  test.each([
    ['of many numbers', oneLine(10_000)],
    ['of digits close to each other', 'order 4711 of 12 May, '.repeat(20_000)],
    ['of nothing but digits', '4711 4712 '.repeat(40_000)],
  ])('pauses in one line %s', (_, text) => {
    const pauses = [...excerptsIn(text)].filter((excerpt) => !excerpt);
    expect(pauses.length).toBeGreaterThan(5);
  });

  test('skips a row of digits too long for a message, wherever it is divided', () => {
    const row = '4711 4712 '.repeat(40_000);
    expect(excerptsOf(`orders ${row}, tel 11 98765-4321`).map(({ text }) => text)).toEqual([
      ' , tel 11 98765-4321',
    ]);
  });
});
