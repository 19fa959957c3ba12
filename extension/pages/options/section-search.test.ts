// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { hasWords } from './section-search.ts';

test.each([
  ['aparencia', true],
  ['Aparência idioma', true],
  ['discagem', false],
  ['dial', false],
])('a search for "%s" finds the section, with or without accents: %s', (search, isFound) => {
  document.body.innerHTML = '<section><h2>Aparência e idioma</h2><p>O que o Dialmark mostra</p></section>';
  expect(hasWords(document.querySelector('section'), search)).toBe(isFound);
});
