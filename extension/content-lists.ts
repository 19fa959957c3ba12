/**
 * Names of elements, selectors and expressions that content scripts get with their settings, so that they are no part of what every
 * page loads.
 */
import type { ContentLists } from './messages.ts';

const names = (list: string) => list.split(' ');

export const contentLists: ContentLists = {
  inline: names(
    'a abbr acronym b bdi bdo big cite data del dfn em font i ins label mark nobr q rp rt ruby s samp slot small span strike strong sub sup time tt u var wbr',
  ),
  untouchable: names(
    'script style noscript template textarea input select option button summary code kbd math canvas video audio iframe object embed head title desc metadata dialmark-overlay',
  ),
  hosts: names('article aside blockquote div footer header main nav p section span'),
  outer: names('body main section article form nav table ul ol li dl p'),
  untouchableSelector:
    'a[href],svg a,[contenteditable]:not([contenteditable=false]),[role=textbox],[role=button],[role=link],[role=option],[role=menuitem],[role=tab],[data-dialmark=off]',
  controls:
    'a[href],button,summary,input,textarea,select,[role=button],[role=link],[role=option],[role=menuitem],[role=tab]',
  secret:
    '[data-dialmark=off],[contenteditable]:not([contenteditable=false]),[role=textbox]:not(input,textarea),[autocomplete*=cc-],[autocomplete*=one-time-code],[autocomplete*=password],[name*=passw i],[name*=senha i],[name*=contrase i]',
  phoneField:
    '\\btel|phone|fone\\b|\\bfono?\\b|celular|\\bcel\\b|m[oó]vil|m[oó]vel|\\bmobi?l|handy|cellulare|whats|\\bfax\\b',
  optOut:
    'meta[name="format-detection" i]:is([content*="telephone=no" i],[content*="telephone = no" i],[content*="telephone= no" i],[content*="telephone =no" i])',
  ownEvents: names('pointerdown pointerup mousedown mouseup click dblclick keydown keyup focusin'),
  cell: 'td|th|cell|gridcell',
  head: 'th|rowheader|columnheader',
  label: 'label|legend|dt',
  row: 'tr,[role=row]',
  table: 'table,[role=table],[role$=grid]',
  named: 'a,b,strong,h3,h4,th,td',
  announcing: 'tel|ph|fon|cel|mob|ramal|ext|anex|inter|disc|call|dial|lig|llam|whats|sac|durchw',
};

/** Style of marked numbers. `:root` is left out in Firefox. */
export function markStyle(underline: string): string {
  const rule = ':root::highlight(dialmark-number)';
  const line = underline === 'none' ? 'none' : `underline ${underline} currentcolor`;
  return `${rule}{text-decoration:${line};background-color:#8882}@media(forced-colors:active){${rule}{color:LinkText;background-color:Canvas;text-decoration:underline}}`;
}
