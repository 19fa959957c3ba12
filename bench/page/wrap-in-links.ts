/**
 * A peer that does what most dialers do: it puts each number of a text node into a link, finding numbers by libphonenumber-js and
 * later ones by a MutationObserver.
 */
import { findPhoneNumbersInText } from 'libphonenumber-js';

const skipped = new Set(['SCRIPT', 'STYLE', 'TEXTAREA', 'INPUT', 'A', 'CODE', 'PRE']);

function wrapIn(root: Node): void {
  const texts: Text[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (/\d{4}/.test((node as Text).data) && !skipped.has(node.parentElement?.tagName ?? ''))
      texts.push(node as Text);
  for (const text of texts) {
    for (const { number, startsAt, endsAt } of findPhoneNumbersInText(text.data, 'BR').reverse()) {
      const middle = text.splitText(startsAt);
      middle.splitText(endsAt - startsAt);
      const link = document.createElement('a');
      link.href = `tel:${number.number}`;
      link.className = 'wrapped';
      middle.replaceWith(link);
      link.append(middle);
    }
  }
}

wrapIn(document.body);
const observer = new MutationObserver((records) => {
  observer.disconnect();
  for (const { target, addedNodes } of records) {
    if (target.nodeType === Node.TEXT_NODE && target.parentNode) wrapIn(target.parentNode);
    for (const node of addedNodes)
      if (node.isConnected) wrapIn(node.nodeType === Node.TEXT_NODE ? node.parentNode! : node);
  }
  observe();
});
const observe = () =>
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
observe();
