/**
 * Style of the overlay. It does not use custom properties: a page may register the same name, and so change its meaning
 * here. Line and button of the tip keep their places if they are not shown. Else a page could find out by hit testing
 * what is shown.
 */

const accent = 'light-dark(#0b57d0,#a8c7fa)';
const paper = 'light-dark(#fff,#202124)';
const ink = 'light-dark(#1f1f1f,#e8eaed)';
const danger = 'light-dark(#b3261e,#f2b8b5)';
const quiet = 'light-dark(#5f6368,#9aa0a6)';

/**
 * `!important` inside a shadow root outranks `!important` of the page, inline style included. The page can neither hide
 * our element nor move it, nor write beside it. `all` does not reset direction and bidi, nor the pseudo-elements of the
 * host. In forced colours, Chromium (156) paints a plate behind text. On a filled button, the plate would hide the
 * text.
 */
export const overlayStyle = `
:host{all:initial!important;direction:ltr!important;unicode-bidi:isolate!important;position:fixed!important;
inset:0 auto auto 0!important;width:0!important;height:0!important;overflow:visible!important;
z-index:2147483647!important}
:host(:not(:popover-open,[tabindex])){display:none!important}
:host::before,:host::after,:host::backdrop{display:none!important}
*{box-sizing:border-box}
[data-words]::before{content:attr(data-words)}
.root,.skip{font:13px/1.4 system-ui;color:${ink};user-select:none}
.root{width:1px}
.tip,.card,.skip{position:fixed;background:${paper};border-radius:8px;padding:8px 12px}
.skip{top:8px;left:8px;border:2px solid ${accent}}
:host(:not(:focus)) .skip,.root:has(.link)~.skip{display:none}
.link{outline:0}
.box{position:fixed;pointer-events:none;border-radius:6px}
.tip,.card{width:max-content;border:1px solid light-dark(#dadce0,#5f6368);
box-shadow:0 2px 8px #0004;max-width:min(320px,100% - 16px);overflow-wrap:anywhere}
.tip{pointer-events:none}
.tip:has(.call){display:grid;grid-template-columns:auto auto;gap:0 12px;align-items:center;padding:4px 8px}
.tip:has(.call) .title:first-child+.line{display:none}
.tip>*{grid-column:1}
@media(max-height:160px){.tip :is(.title:first-child+.line,[data-words=""]){display:none}}
.tip .call{pointer-events:auto;grid-area:1/2}
.card{min-width:min(220px,100% - 16px);padding-inline-end:36px}
.title{font-weight:600}
.line{color:${quiet};white-space:pre-line}
.team.warn~.call{opacity:0}
.team{contain:inline-size;height:1.4em;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.warn{color:${danger}}
.card:is([data-state^=calling],[data-state=connected]){border-inline-start:4px solid ${accent}}
.actions{display:flex;flex-wrap:wrap;gap:8px;justify-content:flex-end;margin-top:8px;margin-inline-end:-24px}
button{font:inherit;overflow-wrap:normal;border:1px solid ${accent};border-radius:6px;padding:4px 12px;
background:none;color:${accent};cursor:pointer}
.yes{background:${accent};color:${paper}}
.hang-up{background:${danger};border-color:${danger};color:${paper}}
[aria-disabled]{opacity:.5}
.card :is(.line,.warn)~.title{margin-top:8px}
.close{position:absolute;top:6px;inset-inline-end:6px;border:0;padding:2px 8px;color:${quiet}}
.link:focus-visible .box,button:focus-visible{outline:2px solid ${accent};outline-offset:2px}
@media print{:host{display:none!important}}
@media(forced-colors:active){.root,.line,.close{color:CanvasText}.tip,.card{background:Canvas}button{color:LinkText}
button,.card:is([data-state^=calling],[data-state=connected]),.link:focus-visible .box,
button:focus-visible{border-color:LinkText;outline-color:LinkText}
.yes,.hang-up{forced-color-adjust:none;border-color:LinkText;background:LinkText;color:Canvas}}
`;

/**
 * Hides the tip for `delayMs` at first, while the pointer rests on a number. Tips for keyboard and finger are not
 * delayed.
 */
export function tipDelayStyle(delayMs: number): string {
  if (delayMs === 0) return '';
  return `@keyframes in{from{visibility:hidden}}
.root:not(:has(.link,.call))>.tip{animation:in 0s ${delayMs}ms backwards}
`;
}
