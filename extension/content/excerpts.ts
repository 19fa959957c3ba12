/** Cuts the text of a block into excerpts around its digits, which the background judges. Pauses after bounded work. */
import { type BlockText, placeOf } from './block-text.ts';
import { headOrTermOf, isInColumns, labelOf } from './labels.ts';
import { kindOfColumn } from './series.ts';
import type { Block } from './tree.ts';
import { candidateDigits, hasDigit, maxCandidateLength, moreDigits } from './words.ts';

/** A part of a block's text to send. */
export interface Excerpt {
  at: number;
  text: string;
  /** Where its first digits are in the block's text. */
  from: number;
  /** What names the digits in another box. */
  label: string;
}

/** A part of a block's text with digits in it. */
interface ExcerptPart {
  from: number;
  end: number;
}

/** Characters that are looked through between two pauses: a millisecond. */
const stretchLength = 40_000;
/** Digits farther than this from a word are not announced by it. */
const maxGap = 40;
/** Characters of context words before and after digits. */
const contextLength = 80;
const maxExcerptLength = 1_000;
const maxLabelLength = 200;

/** Yields the excerpts of a block, those under heads first, and undefined now and then for a check of the clock. */
export function* excerptsOfBlock(block: Block, text: BlockText): Generator<Excerpt | undefined> {
  /** The text, with blank lines for those that are under heads. */
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
  // A table that goes on in the next excerpt has its heads above the first one.
  const [heads] = /^[^\d\n]+\n/.exec(text.text) ?? [''];
  const later = heads.slice(-maxLabelLength);
  for (const excerpt of excerptsIn(rest.join('')))
    yield excerpt && { ...excerpt, label: excerpt.at > 0 ? later : labelAt(text, excerpt) };
}

/** How labels end in columns of numbered things, whatever their words, and of telephones that people wrote. */
const labelEnds = { things: ' #:', telephones: ',' };

function labelAt(text: BlockText, { from }: Excerpt): string {
  const node = placeOf(text, from, from + 1).startContainer;
  const label = labelOf(node);
  const kind = label.endsWith(':') ? kindOfColumn(node) : undefined;
  return kind ? label.slice(0, -1) + labelEnds[kind] : label;
}

/** Code announces its telephone numbers by words on their own lines: other digits there are code. */
const codeHead = 'Code:';

/**
 * The cells of a grid whose parts are inline elements: lines of its text, under heads that only its layout shows. Also
 * the lines of code.
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
      // Without its indent, which would set the line apart from its head.
      const indent = isCode ? line.length - line.trimStart().length : 0;
      if (head) yield { at: at + indent, line: line.slice(indent), head };
    }
    yield undefined;
  }
}

/** The head over the part of a grid that has the character at `at`, or the term before it. */
function headAt(block: Element, text: BlockText, at: number): string {
  let node: Node = placeOf(text, at, at + 1).startContainer;
  while (node.parentNode && node.parentNode !== block) node = node.parentNode;
  return node instanceof Element ? headOrTermOf(node) : '';
}

/** Yields the excerpts of a text, and undefined now and then for a check of the clock. */
export function* excerptsIn(text: string): Generator<Excerpt | undefined> {
  let last: (ExcerptPart & { at: number }) | undefined;
  /** Where the digits end that are in an excerpt already. */
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
      // The text between two numbers belongs to one excerpt only, a number to one as a whole.
      const own = Math.max(at, read);
      if (last) yield excerptOf({ ...last, end: Math.min(last.end, own) });
      last = { at: own, end, from };
    }
    read = candidate.end;
  }
  if (last) yield excerptOf(last);
}

/** The start of a short line, which shows the columns of a table, or of the line of a number's context words. */
function contextStart(text: string, from: number): number {
  const line = lineStart(text, from) ?? from;
  const at = Math.max(0, Math.min(from - contextLength, line));
  // A part of the line of heads would be no heads.
  return lineStart(text, at) ?? at;
}

/** Where the line before `end` starts, at its line end; undefined where that is far. */
function lineStart(text: string, end: number): number | undefined {
  const start = Math.max(0, end - maxLabelLength + 1);
  const lineEnd = text.slice(start, end).lastIndexOf('\n');
  if (lineEnd >= 0) return start + lineEnd;
  return start > 0 ? undefined : 0;
}

/** Yields candidates, and undefined after each stretch. Stretches overlap by the longest candidate: none is divided. */
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
      // Too long for an excerpt: what continues it is not a number of its own.
      const isTooLong = found.length > maxExcerptLength;
      if (isTooLong) for (more.lastIndex = end; more.test(text); end = more.lastIndex) yield undefined;
      yield { from, end };
      at = isTooLong ? end : Math.max(at, end);
      if (isTooLong) break;
    }
    yield undefined;
  }
}
