/** Names and selectors of the elements that matter for reading the page. */

const names = (list: string) => list.split(' ');

/** Elements that are laid out in the line by default. */
export const inlineNames = new Set(
  names(
    'a abbr acronym b bdi bdo big cite data del dfn em font i ins label mark nobr q rp rt ruby s samp slot ' +
      'small span strike strong sub sup time tt u var wbr',
  ),
);

/** Elements that are never a part of a line, however they are laid out: cells, the page, and texts of a picture. */
export const neverInlineNames = new Set(names('td th body text'));

/** Code, fields, editors, pictures and media: their text is not meant to be called, or is being edited. */
export const untouchableNames = new Set(
  names(
    'script style noscript template textarea input select option button summary code kbd math canvas video ' +
      'audio iframe object embed head title desc metadata dialmark-overlay',
  ),
);

/** Built-in elements that may have a shadow root, as the standard lists them. */
export const shadowHostNames = new Set(
  names('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'),
);

const combobox = '[role=combobox]';
const media = 'img,video,canvas,iframe';

/** Elements that a click presses, opens or chooses, and the label of a choice. */
const pressable = `[role=button],[role=link],[role=option],[role=menuitem],[role=tab],${combobox},
label:has([type=radio],[type=checkbox]),:is([type=radio],[type=checkbox])+label`;

const editor = '[contenteditable]:not([contenteditable=false])';
/** A read-only editor. It is the only view of its text. */
const readOnlyEditor = `${editor}[aria-readonly=true]`;
const optedOut = '[data-dialmark=off]';
const cell = ':is(td,th):not([role]),[role$=cell],[role$=header]';

export const selectors = {
  /** A cell is never a part of a number, however it is laid out. */
  neverInline: '[role$=cell],[role$=header]',
  /** The page's way to keep us out of an element. */
  optedOut,
  /** Links, buttons, choices and editors of the page, and elements that opt out. */
  untouchable: `a[href],svg a,${editor},${optedOut},${pressable}`,
  /** The page's own links, buttons and fields. Their numbers are called by our button beside them. */
  control: `a[href],button,summary,input,textarea,select,${readOnlyEditor},${pressable}`,
  /** The box of a combobox, which lies over the chosen text. The test is cheap for any element under the pointer. */
  comboboxParent: `:has(>${combobox})`,
  comboboxChild: `:scope>${combobox}`,
  /** Controls that are never read. */
  secretControl: `${optedOut},${editor}:not([aria-readonly=true]),
[role=textbox]:not(input,textarea,[aria-readonly=true]),[autocomplete*=cc-],[autocomplete*=one-time-code],
[autocomplete*=password],[name*=passw i],[name*=senha i],[name*=contrase i]`,
  cell,
  /** Heads of rows and columns. */
  headCell: 'th:not([role],[aria-hidden=true]>*),thead td,[role$=header]',
  /**
   * Matches only inside boxes that are not pure header rows. Below heads may be fields to search a column, and empty
   * cells that keep its width. `:nth-child(100)` stops the search in long tables.
   */
  notOnlyHeads: ':is(td:not([role],thead td),[role$=cell]):not(:empty,:has(input)),:nth-child(100)',
  row: 'tr,[role=row]',
  grid: '[role$=grid]',
  label: 'label,legend,dt',
  /** Elements that are never the label of the text after them: the title of a page does not name its first number. */
  neverLabel: 'li,h1,h2,h3,head',
  /** Elements that may only separate a label from its value. */
  spacer: 'div,span,i,hr,svg',
  /** Fields that show text of their own. */
  textField: 'input:not([type=checkbox],[type=radio],[type=hidden]),textarea,select',
  /** Boxes that hold several things. A label outside of a box belongs to something else. */
  labelBoundary: `body,main,section,article,form,nav,table,ul,ol,li,dl,p:not(:only-child),${cell}`,
  /** Elements that are not read, such as a row that only keeps the width of its columns. */
  hiddenFromAll: '[aria-hidden=true],[aria-hidden=true]>*',
  /** Elements that name the row of a list. */
  rowName: 'a,b,strong,h3,h4,th,td',
  /** Elements that make everything outside inert, and can contain our element. */
  modal: `dialog:modal,:fullscreen:not(${media})`,
  /** Elements that the browser shows over the rest of the page. */
  inTopLayer: ':popover-open,:modal,:fullscreen',
  /** Elements that can be opaque without a background. */
  media,
};
