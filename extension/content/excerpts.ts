/** Cuts the text of a block into excerpts around its digits, which the background judges. Pauses after bounded work. */
import { type BlockText, placeOf } from './block-text.ts';
import { kindOfColumn } from './column-kind.ts';
import { headOrTermOf, isInColumns, labelOf } from './labels.ts';
import { type Block, ofNode, withAncestors } from './tree.ts';
import { candidateDigits, hasDigit, maxCandidateLength, moreDigits } from './words.ts';

/** A part of a block's text to send. */
export interface Excerpt {
  at: number;
  text: string;
  /** Where its first digits are in the block's text. */
  from: number;
  /** The words in another box that name the digits. */
  label: string;
}

/** A part of a block's text with digits in it. */
interface ExcerptPart {
  from: number;
  end: number;
}

/** How many characters are searched between two pauses. This takes a millisecond. */
const stretchLength = 40_000;
/** The greatest distance between digits and a word that announces them. */
const maxGap = 40;
/** Characters of context words before and after digits. */
const contextLength = 80;
const maxExcerptLength = 1_000;
const maxLabelLength = 200;

/**
 * Yields the excerpts of a block, first those under heads. Now and then it yields undefined, so that the clock can be
 * checked.
 */
export function* excerptsOfBlock(block: Block, text: BlockText): Generator<Excerpt | undefined> {
  /** The text. Lines that are under heads are replaced by blank lines. */
  const rest: string[] = [];
  let end = 0;
  for (const found of linesUnderHeads(block, text)) {
    yield undefined;
    if (!found) continue;
    const { at, line, head } = found;
    for (const excerpt of excerptsIn(line))
      yield excerpt && { ...excerpt, at: excerpt.at + at, from: excerpt.from + at, label: head };
    rest.push(text.text.slice(end, at), '\n'.repeat(line.length));
    end = at + line.length;
  }
  rest.push(text.text.slice(end));
  // If a table continues in a later excerpt, its heads are above the first excerpt.
  const [heads] = /^[^\d\n]+\n/.exec(text.text) ?? [''];
  const later = heads.slice(-maxLabelLength);
  for (const excerpt of excerptsIn(rest.join('')))
    yield excerpt && { ...excerpt, label: excerpt.at > 0 ? later : labelAt(text, excerpt) };
}

/**
 * How labels end: in columns of numbered things, whatever their words, and in columns of telephones that people wrote.
 */
const labelEnds = { things: ' #:', telephones: ',' };

function labelAt(text: BlockText, { from }: Excerpt): string {
  const node = placeOf(text, from, from + 1).startContainer;
  const label = labelOf(node);
  const kind = label.endsWith(':') ? kindOfColumn(node) : undefined;
  return kind ? label.slice(0, -1) + labelEnds[kind] : label;
}

/** The head of lines of code. Only words on the same line announce a telephone number there. Other digits are code. */
const codeHead = 'Code:';

/**
 * Yields the cells of a grid whose parts are inline elements. They are lines of its text, with heads that only the
 * layout shows. Also yields the lines of code.
 */
function* linesUnderHeads(
  block: Block,
  text: BlockText,
): Generator<{ at: number; line: string; head: string } | undefined> {
  if (!(block instanceof Element)) return;
  const isCode = block.closest('code') !== null;
  if (!isCode && !(text.text.includes('\n') && isInColumns(block))) return;
  for (let at = 0, end = 0; end < text.text.length; at = end + 1) {
    end = text.text.indexOf('\n', at);
    if (end < 0) end = text.text.length;
    const line = text.text.slice(at, end);
    const digit = line.search(hasDigit);
    if (digit >= 0) {
      const head = isCode ? codeHead : headAt(block, text, at + digit);
      // The indent is left out. It would separate the line from its head.
      const indent = isCode ? line.length - line.trimStart().length : 0;
      if (head) yield { at: at + indent, line: line.slice(indent), head };
    }
    yield undefined;
  }
}

/** The head over the part of a grid that has the character at `at`, or the term before it. */
function headAt(block: Element, text: BlockText, at: number): string {
  const { parentElement } = placeOf(text, at, at + 1).startContainer;
  const part = withAncestors(parentElement).find((each) => ofNode(each, 'parentNode') === block);
  return part ? headOrTermOf(part) : '';
}

/** Yields the excerpts of a text, and undefined now and then for a check of the clock. */
export function* excerptsIn(text: string): Generator<Excerpt | undefined> {
  let last: (ExcerptPart & { at: number }) | undefined;
  /** The end of the digits that are in an excerpt already. */
  let read = 0;
  const excerptOf = ({ at, end, from }: typeof last & {}): Excerpt => ({
    at,
    from,
    text: text.slice(at, end),
    label: '',
  });
  for (const candidate of candidatesIn(text)) {
    if (!candidate) {
      yield undefined;
      continue;
    }
    const { from } = candidate;
    const at = contextStart(text, from);
    const end = Math.min(text.length, candidate.end + contextLength);
    if (last && at <= last.end && end - last.at <= maxExcerptLength) last.end = end;
    else if (end - at <= maxExcerptLength) {
      // The text between two numbers belongs to one excerpt only. A number belongs to one excerpt as a whole.
      const own = Math.max(at, read);
      if (last) yield excerptOf({ ...last, end: Math.min(last.end, own) });
      last = { at: own, end, from };
    }
    read = candidate.end;
  }
  if (last) yield excerptOf(last);
}

/**
 * Where the context of a number starts: at the start of a line, if that is near. A short line shows the columns of a
 * table.
 */
function contextStart(text: string, from: number): number {
  const line = lineStart(text, from) ?? from;
  const at = Math.max(0, Math.min(from - contextLength, line));
  // If a line of heads is cut, its heads are not recognised.
  return lineStart(text, at) ?? at;
}

/** The line end before the line of `end`, or 0 in the first line. Undefined if it is far away. */
function lineStart(text: string, end: number): number | undefined {
  const start = Math.max(0, end - maxLabelLength + 1);
  const lineEnd = text.slice(start, end).lastIndexOf('\n');
  if (lineEnd >= 0) return start + lineEnd;
  return start > 0 ? undefined : 0;
}

/**
 * Yields candidates, and undefined after each stretch. Stretches overlap by the longest candidate, so that a candidate
 * is not divided.
 */
function* candidatesIn(text: string): Generator<ExcerptPart | undefined> {
  const digit = new RegExp(hasDigit, 'g');
  const more = new RegExp(moreDigits);
  for (let at = 0; ; ) {
    digit.lastIndex = at;
    const first = digit.exec(text);
    if (!first) return;
    const start = Math.max(at, first.index - maxGap);
    at = start + stretchLength;
    const stretch = text.slice(start, at + maxCandidateLength);
    for (const { index, 0: found } of stretch.matchAll(candidateDigits)) {
      if (index >= stretchLength) break;
      const from = start + index;
      let end = from + found.length;
      // The digits are too long for an excerpt. What continues them is not a separate number.
      const isTooLong = found.length > maxExcerptLength;
      if (isTooLong) for (more.lastIndex = end; more.test(text); end = more.lastIndex) yield undefined;
      yield { from, end };
      at = isTooLong ? end : Math.max(at, end);
      if (isTooLong) break;
    }
    yield undefined;
  }
}
