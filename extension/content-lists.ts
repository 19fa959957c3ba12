/**
 * Names of elements, selectors and expressions that content scripts get with their settings, so that they are no part of what every
 * page loads.
 */
import type { ContentLists } from './messages.ts';

export const contentLists: ContentLists = {
  inline:
    'a abbr acronym b bdi bdo big cite data del dfn em font i ins label mark nobr q rp rt ruby s samp slot small span strike strong sub sup time tt u var wbr',
  untouchable:
    'script style noscript template textarea input select option button code kbd svg math canvas video audio iframe object embed head title dialmark-overlay',
  untouchableSelector:
    'a[href],[contenteditable]:not([contenteditable=false]),[role=textbox],[role=button],[role=link],[data-dialmark=off]',
  hosts: 'article aside blockquote div footer header main nav p section span',
  outer: 'body main section article form nav table ul ol li dl p',
  named: 'a,b,strong,h3,h4,th,td',
  announcing: 'tel|ph|fon|cel|mob|ramal|ext|anex|inter|disc|call|dial|lig|llam|whats|sac|durchw',
};

/** Style of marked numbers. `:root` is left out in Firefox. */
export function markStyle(underline: string): string {
  const rule = ':root::highlight(dialmark-number)';
  const line = underline === 'none' ? 'none' : `underline ${underline} currentcolor`;
  return `${rule}{text-decoration:${line};background-color:#8882}@media(forced-colors:active){${rule}{color:LinkText;background-color:Canvas;text-decoration:underline}}`;
}
