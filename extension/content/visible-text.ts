/** Whether text reads as it is written: style can hide digits that keep their room, or reorder them. */
import { alphaOf } from './color-alpha.ts';
import type { StyleOf } from './style-reader.ts';
import { parentOf } from './tree.ts';

/** The least opacity of a text that can be seen. */
export const minOpacity = 0.1;
/** The least difference, of 255, in the channel that differs most between a text and what is behind it. */
const minContrast = 16;
const white = 'rgb(255, 255, 255)';

/** True where style shows the characters of an element from the last to the first. */
export function isReversed(element: Element, styleOf: StyleOf): boolean {
  const { unicodeBidi, direction } = styleOf(element);
  return unicodeBidi.endsWith('override') && direction === 'rtl';
}

/** True where an element inside a block is cut, masked or blurred, with all its text. */
export function isMasked(element: Element, styleOf: StyleOf): boolean {
  const { clipPath, maskImage, filter } = styleOf(element);
  return isSet(clipPath) || isSet(maskImage) || /opacity\(0(\.0\d*)?\)|blur\((?!0px)|url/.test(filter);
}

/** True where an element's text has the colour of what is behind it, unlike the rest of the block. */
export function isInvisible(element: Element, block: Element, styleOf: StyleOf): boolean {
  const style = styleOf(element);
  const fill = fillOf(style);
  const blockFill = fillOf(styleOf(block));
  let background = '';
  for (let at: Element | null = element; at && at !== block && !background; at = parentOf(at))
    background = backgroundOf(styleOf(at));
  if (!background && fill === blockFill) return false;
  // A picture or gradient shows through the letters.
  if (style.backgroundClip === 'text' && isSet(style.backgroundImage)) return false;
  for (let at: Element | null = block; at && !background; at = parentOf(at))
    background = backgroundOf(styleOf(at));
  // A page without a background is white, unless its text is white.
  if (!background && !isSameColour(blockFill, white)) background = white;
  const shadow = /^(.*?\)) .*px/.exec(style.textShadow)?.[1] ?? fill;
  return [fill, shadow].every((colour) => alphaOf(colour) < minOpacity || isSameColour(colour, background));
}

const isSet = (value: string | undefined): boolean => !!value && value !== 'none';

const fillOf = (style: CSSStyleDeclaration): string => style.webkitTextFillColor || style.color;

/** The colour of an element's own background. Empty if it is transparent, `image` if it is a picture or gradient. */
function backgroundOf({ backgroundColor, backgroundImage }: CSSStyleDeclaration): string {
  if (isSet(backgroundImage)) return 'image';
  return backgroundColor && alphaOf(backgroundColor) >= minOpacity ? backgroundColor : '';
}

function isSameColour(one: string, other: string): boolean {
  if (one === other) return true;
  const [channels, others] = [one, other].map((colour) =>
    /^rgba?\((\d+), (\d+), (\d+)/.exec(colour)?.slice(1),
  );
  if (!channels || !others) return false;
  return channels.every((channel, index) => Math.abs(Number(channel) - Number(others[index])) < minContrast);
}
