/** Style of the overlay. */

/**
 * `!important` inside a shadow root outranks `!important` of the page, inline style included: the page can neither hide our element nor move
 * it, nor make it transparent. In forced colours Chromium (156) paints a backplate behind text, which would hide it on the one
 * filled button.
 */
export const overlayStyle = `
:host{all:initial!important;position:fixed!important;inset:0 auto auto 0!important;width:0!important;height:0!important;overflow:visible!important}
:host(:not(:popover-open)){display:none!important}
*{box-sizing:border-box}
.root{--accent:light-dark(#0b57d0,#a8c7fa);--paper:light-dark(#fff,#202124);--ink:light-dark(#1f1f1f,#e8eaed);--quiet:light-dark(#5f6368,#9aa0a6);font:13px/1.4 system-ui,sans-serif;color:var(--ink)}
.link{color:inherit;outline:0}
.box{position:fixed;pointer-events:none;border-radius:3px}
.tip,.card{position:fixed;width:max-content;background:var(--paper);border:1px solid light-dark(#dadce0,#5f6368);border-radius:8px;box-shadow:0 2px 8px #0004;padding:8px 12px;max-width:min(320px,calc(100% - 16px));overflow-wrap:anywhere;animation:in .12s}
.tip{pointer-events:none}
.tip:has(.call){display:grid;grid-template-columns:auto auto;gap:0 12px;align-items:center;padding:4px 8px}
.tip:has(.call) .title:first-child+.line{display:none}
.tip>*{grid-column:1}
.tip .call{pointer-events:auto;grid-area:1/2}
.card{min-width:min(220px,calc(100% - 16px));padding-inline-end:36px}
.title{font-weight:600}
.line{color:var(--quiet);white-space:pre-line}
.warn{color:light-dark(#b3261e,#f2b8b5)}
.card:is([data-state^=calling],[data-state=connected]){border-inline-start:4px solid var(--accent)}
.actions{display:flex;flex-wrap:wrap;gap:8px;justify-content:flex-end;margin-block-start:8px;margin-inline-end:-24px}
button{font:inherit;overflow-wrap:normal;border:1px solid var(--accent);border-radius:6px;padding:4px 12px;background:none;color:var(--accent);cursor:pointer}
.yes{background:var(--accent);color:var(--paper)}
.close{position:absolute;inset-block-start:6px;inset-inline-end:6px;border:0;padding:2px 8px;color:var(--quiet)}
.link:focus-visible .box,button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@keyframes in{from{opacity:0}}
@media(prefers-reduced-motion){*{animation:none!important}}
@media(forced-colors:active){.root{--accent:LinkText;--paper:Canvas;--ink:CanvasText;--quiet:CanvasText}
.yes{forced-color-adjust:none}}
`;

/** Keeps the tip from view for so long while the pointer rests on a number; keyboard and finger have asked for it. */
export function tipDelayStyle(delayMs: number): string {
  if (delayMs === 0) return '';
  const tip = '.root:not(:has(.link,.call))>.tip';
  return `${tip}{animation:in .12s ${delayMs}ms backwards!important}
@media(prefers-reduced-motion){${tip}{animation-duration:0s!important}}
`;
}
