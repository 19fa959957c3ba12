import { type ComponentChildren, h } from 'preact';

/** Matches a phone number as we show it: at least six digits, with separators. */
const shownNumber = /(\+?\(?\d(?:[ ().-]{0,2}\d){5,})/;

/** A sentence in which every phone number stays on one line, read from left to right. */
export function withNumbers(sentence = ''): ComponentChildren {
  return sentence
    .split(shownNumber)
    .map((part, index) => (index % 2 === 0 ? part : h('span', { class: 'number' }, part)));
}
