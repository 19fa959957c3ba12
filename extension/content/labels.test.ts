// @vitest-environment jsdom
import { beforeAll, expect, test } from 'vitest';
import { labelOf } from './labels.ts';

beforeAll(() => {
  // jsdom lays nothing out: an element's box is in its attribute, as x, y, width and height.
  Element.prototype.getBoundingClientRect = function () {
    const [x = 0, y = 0, width = 0, height = 0] = (this.getAttribute('box') ?? '').split(' ').map(Number);
    return { x, y, width, height, left: x, top: y, right: x + width, bottom: y + height } as DOMRect;
  };
});

const labelOfCell = (html: string) => {
  document.body.innerHTML = html;
  return labelOf(document.querySelector('#cell')!.firstChild as Text);
};

test.each([
  [
    'a grid of cells',
    'Oak Ridge: Tank serial:',
    `<div style="display:grid"><p box="0 0 50 10">Stop</p><p box="50 0 50 10">Tank serial</p>
      <p box="0 10 50 10">Oak Ridge</p><p box="50 10 50 10" id="cell">6085550126</p></div>`,
  ],
  [
    'rows that are flex boxes',
    'Oak Ridge: Tank serial:',
    `<section><div style="display:flex"><b box="0 0 50 10">Stop</b><b box="50 0 50 10">Tank serial</b></div>
      <div style="display:flex"><i box="0 10 50 10">Oak Ridge</i><i box="50 10 50 10" id="cell">6085550126</i></div></section>`,
  ],
  [
    'rows behind the title of their table',
    'Oak Ridge: Tank serial:',
    `<section><style></style><h3>Tanks</h3><div style="display:grid"><b box="0 0 50 10">Stop</b><b box="50 0 50 10">Tank serial</b></div>
      <div style="display:grid"><i box="0 10 50 10">Oak Ridge</i><i box="50 10 50 10" id="cell">6085550126</i></div></section>`,
  ],
  [
    'a grid with a digit in a head',
    'Tank serial:',
    `<div style="display:grid"><b box="0 0 50 10">Tank serial</b><b box="50 0 50 10">EAN-13</b>
      <p box="0 10 50 10" id="cell">6085550126</p><p box="50 10 50 10">8412345670019</p></div>`,
  ],
  [
    'boxes at places of their own, as wide as their text',
    'Tank serial:',
    `<div><b style="position:absolute" box="0 0 20 10">Stop</b><b style="position:absolute" box="50 0 20 10">Tank serial</b>
      <p style="position:absolute" box="50 10 60 10" id="cell">6085550126</p></div>`,
  ],
])('reads the head over a cell by position in %s', (_, label, html) => {
  expect(labelOfCell(html)).toBe(label);
});

test('reads merged heads by position, however many cells the row has', () => {
  const html = `<table><tr><th box="0 0 50 10" rowspan="2">Site</th><th box="50 0 100 10" colspan="2">Foreman</th>
      <th box="150 0 50 10" rowspan="2">Base</th></tr>
    <tr><th box="50 10 50 10">Name</th><th box="100 10 50 10">Port.</th></tr>
    <tr><td box="50 20 50 10">Erwan</td><td box="100 20 50 10" id="cell">0673612948</td>
      <td box="150 20 50 10">—</td></tr></table>`;
  expect(labelOfCell(html)).toBe('Foreman: Port.:');
});

test('reads a head without the programs that the page wrote into it', () => {
  const html = `<table><tr><th><script>on(qsl('th'), { over: show, out: partial(show, 'hidden 100') });</script>
      <a>order_no</a></th><th><style>th { width: 100px }</style>phone</th></tr>
    <tr><td id="cell">1134567890</td><td>(48) 3322-4455</td></tr></table>`;
  expect(labelOfCell(html)).toBe('order_no:');
});

test('reads a head without the description that only screen readers get', () => {
  const head = (name: string) =>
    `<th><div hidden>Click to sort rows by ${name} header in ascending order</div><b>${name}</b></th>`;
  const html = `<table><thead><tr>${head('Telefone')}${head('Matrícula')}</tr></thead>
    <tr><td>(48) 3322-4455</td><td id="cell">1134567890</td></tr></table>`;
  expect(labelOfCell(html)).toBe('Matrícula:');
  const hiddenHeads = '<table><thead hidden><tr><th>Telefone<th>Matrícula</thead>';
  const values = '<tr><td>(48) 3322-4455</td><td id="cell">1134567890</td></tr></table>';
  expect(labelOfCell(hiddenHeads + values)).toBe('Matrícula:');
});

test('reads a head without the description in it that only assistive technology reads', () => {
  const head = (name: string) =>
    `<th>${name}<i style="visibility:hidden">Cell value has been edited</i></th>`;
  const html = `<table><tr>${head('Telefone')}${head('Matrícula')}</tr>
    <tr><td>(48) 3322-4455</td><td id="cell">1134567890</td></tr></table>`;
  expect(labelOfCell(html)).toBe('Matrícula:');
  expect(labelOfCell(html.replace('<table>', '<table style="visibility:hidden">'))).not.toBe('');
});

test('reads a head that its component shows in a slot', () => {
  document.body.innerHTML = `<div><b slot="h0"><i>order_no</i></b><b slot="h1">phone</b>
    <b slot="c0" id="cell">1134567890</b><b slot="c1">(48) 3322-4455</b></div>`;
  const cells = (name: string, kind: string) =>
    [0, 1].map((index) => `<${kind}><slot name="${name}${index}"></slot></${kind}>`).join('');
  document.body.firstElementChild!.attachShadow({
    mode: 'open',
  }).innerHTML = `<table><tr>${cells('h', 'th')}</tr><tr>${cells('c', 'td')}</tr></table>`;
  expect(labelOf(document.querySelector('#cell')!.firstChild as Text)).toBe('order_no:');
});

test('reads the head over a cell of a grid whose first column stays while the others scroll', () => {
  const pane = (box: string, text: string, role: string) =>
    `<div box="${box}"><div><div role="row"><p role="${role}" box="${box}"${role === 'gridcell' ? ' id="cell"' : ''}>${text}</p></div></div></div>`;
  const heads = pane('0 0 50 10', 'Nome', 'columnheader') + pane('50 0 50 10', 'Pedido', 'columnheader');
  const stays = pane('0 10 50 10', '4155550132', 'gridcell');
  expect(labelOfCell(`<div role="grid">${heads}${stays}</div>`)).toBe('Nome:');
  const scrolls = pane('50 10 50 10', '4155550132', 'gridcell');
  expect(labelOfCell(`<div role="grid">${heads}${stays.replace(' id="cell"', '')}${scrolls}</div>`)).toBe(
    'Pedido:',
  );
});

const rowOfRole = (role: string, ...texts: readonly string[]) =>
  `<div role="row">${texts.map((text, at) => `<p box="${50 * at} 0 50 10" role="${role}">${text}</p>`).join('')}</div>`;
const headRow = rowOfRole('columnheader', 'Telefone', 'Pedido');
const cellRow = rowOfRole('gridcell', '(48) 3322-4455', '1134567890').replace('>1', ' id="cell"$&');

test('reads the heads of a grid that has them in the box behind its rows, shown above', () => {
  const gridWithHeads = (top: number) =>
    `<div><div box="0 20"><div>${cellRow}</div></div><div box="0 ${top}">${headRow}</div></div>`;
  expect(labelOfCell(gridWithHeads(0))).toBe('Pedido:');
  expect(labelOfCell(gridWithHeads(40))).toBe('');
});

test('reads the heads of a grid by role through the boxes of its groups', () => {
  const groups = `${'<div>'.repeat(11)}${cellRow}${'</div>'.repeat(11)}`;
  expect(labelOfCell(`<div role="grid"><div>${headRow}</div>${groups}</div>`)).toBe('Pedido:');
});

test.each([
  ['fields to search them', '<td role="gridcell"><input></td>'],
  ['empty cells that keep their width', '<td></td>'],
])('reads the heads of the box before, with %s', (_, below) => {
  const html = `<div><table><tr><th>Nome</th><th>Pedido</th><th>Local</th></tr><tr>${below.repeat(3)}</tr></table></div>
    <div><table><tr><td>Ana</td><td id="cell">4155550132</td><td>Sul</td></tr></table></div>`;
  expect(labelOfCell(html)).toBe('Pedido:');
});

test('takes terms for labels where another row has a value that is no phone number', () => {
  const pairs = (...texts: string[]) =>
    texts.map((text, at) => `<td class="${at % 2 ? 'value' : 'term'}">${text}</td>`).join('');
  const html = `<table><tr>${pairs('Nome', 'Ana Souza', 'Telefone', '(48) 3322-4455')}</tr>
    <tr><td class="term">Crachá</td><td class="value" id="cell">4833221144</td>${pairs('Celular', '48 99912-3344')}</tr></table>`;
  expect(labelOfCell(html)).toBe('Crachá:');
  expect(labelOfCell(html.replace('Ana Souza', '4833224466'))).toBe('Crachá');
});

test('reads the term before a value in a grid of two columns without heads', () => {
  const html = `<div style="display:grid"><p box="0 0 50 10">Raised by</p><p box="50 0 50 10">Dr Lee</p>
    <p box="0 10 50 10">Contact tel.</p><p box="50 10 50 10" id="cell">01223 760418</p></div>`;
  expect(labelOfCell(html)).toBe('Contact tel.:');
});

test.each([
  ['rows', (cells: readonly string[]) => `<div style="display:flex">${cells.join('')}</div>`],
  ['one grid', (cells: readonly string[]) => cells.join('')],
])('reads the term before a value in a record of %s whose first line may be heads', (_, row) => {
  const field = (line: number, ...parts: readonly string[]) =>
    row(
      parts.map(
        (part, column) =>
          `<p box="${50 * column} ${10 * line} 50 10"${line * column === 1 ? ' id="cell"' : ''}>${part}</p>`,
      ),
    );
  const html = `<div style="display:grid">${field(0, 'Nome', 'Bruno Lima')}${field(1, 'CPF', '41998233715')}</div>`;
  expect(labelOfCell(html)).toBe('CPF: Bruno Lima:');
  const withAction = `${field(0, 'Nome', 'Bruno Lima', 'Editar')}${field(1, 'CPF', '41998233715', 'Copiar')}`;
  expect(labelOfCell(`<div style="display:grid">${withAction}</div>`)).toBe('CPF: Bruno Lima:');
});

test('takes the last head of a grid for no term of the first cell below', () => {
  const html = `<div style="display:grid"><b box="0 0 50 10">Gönderi kodu</b><b box="50 0 50 10">GSM</b>
    <p box="0 10 50 10" id="cell">5421234567</p><p box="50 10 50 10">5421234568</p></div>`;
  expect(labelOfCell(html)).toBe('Gönderi kodu:');
});

test.each([
  ['an empty part', '<div></div>'],
  ['a picture', '<div><svg></svg></div>'],
])('reads the term before %s before the value', (_, between) => {
  const html = `<div style="display:flex"><p>Protocolo</p>${between}<p id="cell">4833221155</p></div>`;
  expect(labelOfCell(html)).toBe('Protocolo');
  expect(labelOfCell(html.replace(between, '<div><input></div>'))).toBe('');
});

test('reads the head of a column behind a long head of the row', () => {
  const html = `<table><tr><th>Cliente</th><th>Cidade</th><th>Código do cliente</th></tr><tr>
    <th>Associação dos Moradores do Bairro Santa Mônica</th><td>Natal</td><td id="cell">4832345577</td></tr></table>`;
  expect(labelOfCell(html)).toMatch(/^Associação .*: Código do cliente:$/);
});

test('reads the term before the value of a list that is laid out as a grid', () => {
  const html = `<dl style="display:grid"><dt box="0 0 50 10">Name</dt><dd box="50 0 50 10">Ann Lee</dd>
    <dt box="0 10 50 10">Member No.</dt><dd box="50 10 50 10" id="cell">01223 760418</dd></dl>`;
  expect(labelOfCell(html)).toBe('Member No.:');
});

test('reads the heads of a grid whose rows show their cells in slots', () => {
  const row = (line: number, first: string, second: string, id = '') =>
    `<div class="row" style="display:flex"><p box="0 ${line} 50 10">${first}</p><p box="50 ${line} 50 10"${id}>${second}</p></div>`;
  document.body.innerHTML = `<div>${row(0, 'Nome', 'Pedido')}${row(10, 'Ana', '1134567890', ' id="cell"')}</div>`;
  for (const each of document.querySelectorAll('.row'))
    each.attachShadow({ mode: 'open' }).innerHTML = '<slot></slot>';
  expect(labelOf(document.querySelector('#cell')!.firstChild as Text)).toBe('Ana: Pedido:');
});

test('takes a first line with digits for a row, not for heads', () => {
  const html = `<div style="display:grid"><p box="0 0 50 10">Ana</p><p box="50 0 50 10">11 98765-4321</p>
    <p box="0 10 50 10">Rui</p><p box="50 10 50 10" id="cell">11 98765-4322</p></div>`;
  expect(labelOfCell(html)).toBe('Rui');
});

test('reads a label as that of a field where a near part of the record has a date', () => {
  const html = `<div><div><i>Opened</i><b>05/12/2026</b></div><div><i>Locker</i><b id="cell">4155550132</b></div></div>`;
  expect(labelOfCell(html)).toBe('Locker:');
});

test('reads the label of a field where the place of a dialog stands behind it', () => {
  const field = (label: string, id: string) =>
    `<div class="field"><div><b>${label}</b></div><div id="${id}"><input></div><div></div></div>`;
  const html = `<div style="display:grid">${field('Phone', 'first')}${field('Order No', 'second')}</div>`;
  document.body.innerHTML = html;
  expect(labelOf(document.querySelector('#second input')!)).toBe('Order No');
});

test('reads the label of a value in as many boxes as its components make', () => {
  const boxes = (count: number) =>
    `${'<div>'.repeat(count)}<i id="cell">1134567890</i>${'</div>'.repeat(count)}`;
  expect(labelOfCell(`<div><b>Pedido</b>${boxes(6)}</div>`)).toBe('Pedido');
});

test('takes a field that stands before the text for no label of it', () => {
  const html = `<div style="display:flex"><label>Phone <input></label><i id="cell">4155550132</i></div>`;
  expect(labelOfCell(html)).toBe('');
});

test.each(['th', 'td'])('reads the first row of a spreadsheet for heads where a %s numbers it', (number) => {
  const html = `<table><tr><th></th><th>A</th><th>B</th></tr><tr><th>1</th><td>SKU</td><td>Lote</td></tr>
    <tr><th>2</th><td>31984</td><td id="cell">11987442018</td></tr></table>`;
  expect(labelOfCell(html.replace(/<th>(\d)<.th>/g, `<${number}>$1</${number}>`))).toBe('B: Lote');
});

test('takes the first cells of a pane with ids for no heads of those below', () => {
  const row = (...cells: readonly string[]) =>
    `<div role="row">${cells.map((cell) => `<p role="gridcell">${cell}</p>`).join('')}</div>`;
  const html = row('11987654321', 'Ana Souza') + row('11987654322', '<b id="cell">4833221144</b>');
  expect(labelOfCell(`<div role="grid">${html}</div>`)).toBe('');
});

test('takes the text of a slot of its own for no label of the text in the next one', () => {
  const part = (slot: string, text: string) => `<p slot="${slot}" id="${slot}">${text}</p>`;
  document.body.innerHTML = `<div style="display:flex">${part('a', 'Ana')}${part('b', '4833221144')}${part('c', 'Natal')}</div>`;
  document.body.firstElementChild!.attachShadow({ mode: 'open' }).innerHTML = [...'abc']
    .map((slot) => `<section><slot name="${slot}"></slot></section>`)
    .join('');
  expect(labelOf(document.querySelector('#b')!.firstChild as Text)).toBe('');
});

test.each(['title', 'children'])('reads the label of a number in a form with a field named %s', (name) => {
  const fields = `<div><b>Phone</b><i id="cell">4155550132</i></div><div><b>City</b><i>Natal</i></div>`;
  const formOf = (shown: string) => {
    document.body.innerHTML = `<form>${shown}<input name="${name}"></form>`;
    // As in a content script of Chromium; jsdom does not do it.
    Object.defineProperty(document.forms[0], name, { value: document.querySelector('input') });
    return labelOf(document.querySelector('#cell')!.firstChild as Text);
  };
  expect(formOf(fields)).toBe('Phone:');
  expect(formOf('<div><i id="cell">4155550132</i></div>')).toBe('');
});

test('reads the label of a cell whose row the page has removed meanwhile', () => {
  document.body.innerHTML =
    '<table><tr><th>Name</th><th>Phone</th></tr><tr><td>Phone:</td><td id="cell">4155550132</td></tr></table>';
  const text = document.querySelector('#cell')!.firstChild as Text;
  text.parentElement!.parentElement!.remove();
  expect(labelOf(text)).toBe('Phone:');
});
