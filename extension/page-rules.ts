/**
 * What a content script needs to know of elements and words once it reads the page: names of elements, selectors and expressions. It
 * gets them with its settings, so that they are no part of what every page loads.
 */
import { digitClass } from '../shared/numbers/text/characters.ts';

const names = (list: string) => list.split(' ');

/** A field, or part of one, that chooses. */
const chooser = '[role=combobox]';

/** What a click chooses or opens; also the label of what is chosen, as a list of numbers to choose from has it. */
const pressed = `[role=button],[role=link],[role=option],[role=menuitem],[role=tab],${chooser},label:has([type=radio],[type=checkbox]),:is([type=radio],[type=checkbox])+label`;

const off = '[data-dialmark=off]';

const cell = ':is(td,th):not([role]),[role$=cell],[role$=header]';

export const pageRules = {
  /** Elements that are in the line by name. */
  inline: names(
    'a abbr acronym b bdi bdo big cite data del dfn em font i ins label mark nobr q rp rt ruby s samp slot small span strike strong sub sup time tt u var wbr',
  ),
  /** Cells are never one number, whatever they are made of. */
  neverInline: 'td,th,[role$=cell],[role$=header],body,text',
  /** Code, fields, editors, pictures and media: texts that are not meant to be called, or that are being edited. */
  untouchable: names(
    'script style noscript template textarea input select option button summary code kbd math canvas video audio iframe object embed head title desc metadata dialmark-overlay',
  ),
  /** Elements that may have a shadow root, besides custom ones. */
  hosts: 'article,aside,blockquote,div,footer,header,main,nav,p,section,span',
  /** Boxes that hold more than one thing each: a label outside of them is not the number's. */
  outer: `body,main,section,article,form,nav,table,ul,ol,li,dl,p:not(:only-child),${cell}`,
  /** Where the page wants nothing to be read. */
  off,
  /** Elements that are an editor or a control of the page's own, or that opt out. */
  untouchableSelector: `a[href],svg a,[contenteditable]:not([contenteditable=false]),[role=textbox],${off},${pressed}`,
  /** Links, buttons and fields of the page's own, whose numbers are called by our button beside them. */
  controls: `a[href],button,summary,input,textarea,select,${pressed}`,
  /** The box of a field that chooses, which lies over what was chosen; cheap to ask of any element under the pointer. */
  boxOfChooser: `:has(>${chooser})`,
  chooserInBox: `:scope>${chooser}`,
  /** Controls that are never read. */
  secret: `${off},[contenteditable]:not([contenteditable=false]),[role=textbox]:not(input,textarea),[autocomplete*=cc-],[autocomplete*=one-time-code],[autocomplete*=password],[name*=passw i],[name*=senha i],[name*=contrase i]`,
  /** Expression for the words with which a field says that it holds a telephone number. */
  phoneField:
    '\\btel|phone|fone\\b|\\bfono?\\b|celular|\\bcel\\b|m[oó]vil|m[oó]vel|\\bmobi?l|handy|cellulare|whats|\\bfax\\b',
  /** Matches where the page opts out of number detection, as it would on a telephone. */
  optOut:
    'meta[name="format-detection" i]:is([content*="telephone=no" i],[content*="telephone = no" i],[content*="telephone= no" i],[content*="telephone =no" i])',
  /** Events on our own element that the page does not get. */
  ownEvents: names('pointerdown pointerup mousedown mouseup click dblclick keydown keyup focusin'),
  /** Cells, heads of rows and columns, labels and rows. */
  cell,
  head: 'th:not([role],[aria-hidden=true]>*),thead td,[role$=header]',
  /** What no box of heads alone has: cells of data, or a hundred of anything, so that a long page is not read through. */
  noHeads: 'td:not([role],thead td),[role$=cell],:nth-child(100)',
  label: 'label,legend,dt',
  /** What is no label of what follows it: a page's title is none of its first number. */
  noLabel: 'li,h1,h2,h3,head',
  /** What is not there for anyone: a row of cells that only keeps the width of its columns. */
  silent: '[aria-hidden=true],[aria-hidden=true]>*',
  row: 'tr,[role=row]',
  /** Selector of what names a row of a list. */
  named: 'a,b,strong,h3,h4,th,td',
  /** Expression for seven digits or more with little between, or fewer after a word that announces a number (an extension, a short code). */
  digits: `(?:(?:tel|ph|fon|cel|mob|ramal|ext|anex|inter|disc|call|dial|lig|llam|whats|sac|durchw)[^\\n]{0,20}?\\d[\\d .-]{1,6}\\d)|${digitClass}(?:[^\\p{L}\\p{Nd}:;,%\\n]{0,5}${digitClass}){6,}`,
  /** What the browser shows over the rest of the page. */
  onTop: ':popover-open,:modal,:fullscreen',
  /** What can be opaque without a background. */
  media: 'img,video,canvas,iframe',
};

export type PageRules = typeof pageRules;
