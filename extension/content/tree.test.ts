// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { nextNode, parentOf, withAncestors } from './tree.ts';

test('leaves a form with a field named parentNode for the element around it', () => {
  document.body.innerHTML = '<form><input name="parentNode"></form>';
  const [form] = document.forms;
  const field = form!.firstChild!;
  // As in a content script of Chromium; jsdom does not do it.
  Object.defineProperty(form, 'parentNode', { value: field });
  expect(parentOf(form!)).toBe(document.body);
  expect(nextNode(field, document.body)).toBe(null);
});

test.each(['nodeType', 'assignedSlot'])('finds the element around a form with a field named %s', (name) => {
  document.body.innerHTML = `<div inert><form><b></b></form></div><input name="${name}">`;
  Object.defineProperty(document.forms[0], name, { value: document.querySelector('input') });
  const around = withAncestors(document.querySelector('b'));
  expect(around.map(({ localName }) => localName)).toEqual(['b', 'form', 'div', 'body', 'html']);
});
