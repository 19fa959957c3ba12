// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { nextNode, parentOf } from './tree.ts';

test('leaves a form with a field named parentNode for the element around it', () => {
  document.body.innerHTML = '<form><input name="parentNode"></form>';
  const [form] = document.forms;
  const field = form!.firstChild!;
  // As in a content script of Chromium; jsdom does not do it.
  Object.defineProperty(form, 'parentNode', { value: field });
  expect(parentOf(form!)).toBe(document.body);
  expect(nextNode(field, document.body)).toBe(null);
});
