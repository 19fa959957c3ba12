// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';
import type { ContentRequest } from '../messages/content.ts';
import { createControls } from './controls.ts';
import type { FrameParts } from './frame-parts.ts';

/** Texts and addresses that were sent to the background, which here finds any nine digits and more. */
const sent: string[] = [];
const judged = (text: string) => ({ display: text, to: text.replace(/\D/g, ''), verdict: 'allow' });
const background = {
  async send(
    type: string,
    {
      texts = [],
      labels,
      source,
    }: Partial<ContentRequest<'content.find'> & ContentRequest<'content.judgeLink'>>,
  ) {
    sent.push(source?.text ?? `${labels}: ${texts}`);
    if (type === 'content.judgeLink') return { ok: true, value: judged(source!.text) };
    const found = texts.map((text) =>
      [...text.matchAll(/[+(\d](?:[^\d\n]{0,3}\d){8,}/g)].map(({ index, 0: number }) => ({
        start: index,
        end: index + number.length,
        source: { text: number, contextWords: 'none' },
        number: judged(number),
      })),
    );
    return { ok: true, value: found };
  },
};
const parts = { background, overlay: { tip: document.createElement('div') }, clicks: {} };
const controls = createControls(parts as unknown as FrameParts, new AbortController().signal);

const numbersIn = async (html: string, selector = 'input,textarea,select,a') => {
  document.body.innerHTML = html;
  const found = await controls.read(document.body.querySelector(selector)!);
  return found.map(({ source }) => source.text);
};

beforeEach(() => {
  sent.length = 0;
});

const codes = '<option>🇧🇷 +55</option><option selected>🇬🇧 +44</option>';
test.each([
  ['a list', `<select>${codes}</select><input type="tel" value="7494 947586" id="n">`],
  [
    'a box of a list',
    `<div><div><select>${codes}</select></div><div><input type="tel" value="7494 947586" id="n"></div></div>`,
  ],
  ['a field', '<input value="+44"><input type="tel" value="7494 947586" id="n">'],
  [
    'a button',
    '<div><div><button>🇬🇧 (+44)</button></div><input type="tel" value="7494 947586" id="n"><i></i></div>',
  ],
])("%s before a field gives the number its country's code", async (_, html) => {
  expect(await numbersIn(`<form>${html}</form>`, '#n')).toEqual(['+44 7494 947586']);
});

test.each([
  [
    'has one',
    '<select><option>+44</option></select><input type="tel" value="+49 30 9018200" id="n">',
    '+49 30 9018200',
  ],
  ['is behind a count', '<b>12 +44 20</b><input type="tel" value="48 3322-4455" id="n">', '48 3322-4455'],
  [
    'is behind a list and its field',
    '<div><select><option>+44</option></select><input></div><div><b>Landline</b><input value="0422 2088894" id="n"></div>',
    '0422 2088894',
  ],
])('a field that %s gets no other code', async (_, html, number) => {
  expect(await numbersIn(html, '#n')).toEqual([number]);
});

test.each([
  [
    'in the box',
    '<div><input name="ddd" value="48"></div><div><input name="telefone" value="3433-7208" id="n"></div>',
    '(48) 3433-7208',
  ],
  [
    'with labels between',
    '<label for="v">Vorwahl</label><input id="v" value="0234"><label for="n">Nr.</label><input value="36417-0" id="n">',
    '(0234) 36417-0',
  ],
  [
    'behind a list of codes',
    '<select><option>+55</option></select><input autocomplete="tel-area-code" value="48"><input value="3433-7208" id="n">',
    '+55 (48) 3433-7208',
  ],
])('an area code in the field before is part of the number: %s', async (_, html, number) => {
  expect(await numbersIn(`<form>${html}</form>`, '#n')).toEqual([number]);
});

test.each([
  ['another thing is', '<input name="andar" value="48"><input value="3433-72081" id="n">', '3433-72081'],
  [
    'the number has its own',
    '<input name="ddd" value="48"><input value="11 3433-7208" id="n">',
    '11 3433-7208',
  ],
])('no area code is taken where %s in the field before', async (_, html, number) => {
  expect(await numbersIn(html, '#n')).toEqual([number]);
});

test('a number is not current once the code before it has changed', async () => {
  document.body.innerHTML = `<form><select>${codes}</select><input type="tel" value="7494 947586" id="n"></form>`;
  const field = document.querySelector('#n')!;
  field.checkVisibility = () => true;
  const [target] = await controls.read(field);
  expect(target!.isCurrent()).toBe(true);
  document.querySelector('[selected]')!.textContent = '+49';
  expect(target!.isCurrent()).toBe(false);
});

test('a field with a label behind it does not take the label of the field before', async () => {
  const field = (id: string, label: string, value: string) =>
    `<div><input id="${id}" value="${value}"><label for="${id}">${label}</label></div>`;
  document.body.innerHTML = `<form style="display:grid">${field('a', 'Telemóvel', '933 307 800')}${field('b', 'Código', '148 610 722')}</form>`;
  await controls.read(document.querySelector('#b')!);
  expect(sent).toEqual(['b Código: 148 610 722']);
});

test.each([
  '<input type="tel" value="48 3322-4455">',
  '<input value="48 3322-4455 r. 2" name="contactPhone">',
  '<label>Celular <input readonly value="48 3322-4455"></label>',
  '<input disabled placeholder="WhatsApp" value="48 3322-4455">',
  '<input aria-label="Teléfono" value="oficina 48 3322-4455">',
  '<input autocomplete="section-a tel-national" value="48 3322-4455">',
  '<textarea id="fone_2">48 3322-4455</textarea>',
  '<label>Mobile <select><option value="1">48 3322-4455</option></select></label>',
  '<input value=" 48 3322-4455 ">',
  '<b id="name">Telefone</b><input aria-labelledby="name" value="oficina 48 3322-4455">',
  '<table><tr><td>Fone</td><td><input value="oficina 48 3322-4455"></td></tr></table>',
])('the number of %s is offered', async (html) => {
  expect(await numbersIn(html)).toEqual(['48 3322-4455']);
});

test('the numbers in the lines of a note are offered where they are written', async () => {
  document.body.innerHTML = '<textarea>Ligar 48 3322-4455 após 14h\n\nou 48 3322-4466, ramal 2</textarea>';
  const note = document.querySelector('textarea')!;
  const found = await controls.read(note);
  expect(found.map(({ source, isInProse }) => [source.text, isInProse])).toEqual([
    ['48 3322-4455', true],
    ['48 3322-4466', true],
  ]);
  const at = (offset: number) => {
    document.caretPositionFromPoint = () => ({ offsetNode: note, offset }) as unknown as CaretPosition;
    return found.map(({ isTextAt }) => isTextAt!({ x: 0, y: 0 }));
  };
  expect(at(3)).toEqual([false, false]);
  expect(at(8)).toEqual([true, false]);
  expect(at(note.value.indexOf('66'))).toEqual([false, true]);
});

test.each([
  ['bare digits that nothing calls a telephone', '<label>Pedido <input value="48998877665"></label>'],
  ['bare digits in prose', '<textarea>pedido 48998877665 de hoje</textarea>'],
  ['a line of a thousand characters', `<textarea name="phone">48 3322-4455${'x'.repeat(1000)}</textarea>`],
])('%s is not offered', async (_, html) => {
  expect(await numbersIn(html)).toEqual([]);
});

test.each([
  '<input type="password" name="phone" value="48 3322-4455">',
  '<input type="hidden" name="phone" value="48 3322-4455">',
  '<input name="phone" autocomplete="billing cc-number" value="48 3322-4455">',
  '<input name="phone" autocomplete="one-time-code" value="48 3322-4455">',
  '<input type="text" name="phone" autocomplete="current-password" value="48 3322-4455">',
  '<form data-dialmark="off"><input type="tel" value="48 3322-4455"></form>',
  '<input type="tel" data-dialmark="off" value="48 3322-4455">',
  '<code><a href="https://wa.me/554833224455">x</a></code>',
])('%s is never read', async (html) => {
  expect(await numbersIn(html)).toEqual([]);
  expect(sent).toEqual([]);
});

test('a field that was a password is not read when the page shows what is in it', async () => {
  await numbersIn('<input type="password" id="x" value="48 3322-4455">');
  const field = document.body.querySelector('input')!;
  field.type = 'text';
  expect(await controls.read(field)).toEqual([]);
  expect(sent).toEqual([]);
});

test.each([
  'https://wa.me/554833224455',
  'https://wa.me/+554833224455?text=oi',
  'https://api.whatsapp.com/send?phone=554833224455&text=oi',
  'https://web.whatsapp.com/send/?text=oi&phone=%2B554833224455',
  ' sms:+554833224455?body=oi',
])('the number of %s is its address’s', async (href) => {
  expect(await numbersIn(`<a href="${href}">WhatsApp</a>`)).toEqual(['tel:+554833224455']);
  expect(sent).toEqual(['tel:+554833224455']);
});

test('the number in a field is outdated once the field holds another', async () => {
  document.body.innerHTML = '<input type="tel" value="48 3322-4455">';
  const field = document.body.querySelector('input')!;
  field.checkVisibility = () => true;
  const [target] = await controls.read(field);
  expect(target!.isCurrent()).toBe(true);
  field.value = '48 3322-4456';
  expect(target!.isCurrent()).toBe(false);
});
