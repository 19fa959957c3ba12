/** What the commands `forget` have in common: which numbers are the same, and when to ask first. */
import { createInterface } from 'node:readline/promises';
import { InvalidArgumentError } from 'commander';
import { read } from '../numbers/reading/reading.ts';
import { parseNumberText } from '../numbers/text/number-text.ts';
import { maskNumber } from './log.ts';

/** The fewest digits of a national number. Shorter numbers are extensions or short codes, and match only whole. */
const minNationalDigits = 7;

const withoutLeadingZeros = (digits: string): string => digits.replace(/^0+/, '');

/** Whether two numbers are the same, also if only one of them has a dial prefix or a country code. */
export function isSameNumber(a: string, b: string): boolean {
  if (a === b) return a !== '';
  const [x, y] = [withoutLeadingZeros(a), withoutLeadingZeros(b)];
  if (Math.min(x.length, y.length) < minNationalDigits) return false;
  return x.endsWith(y) || y.endsWith(x);
}

export interface LongerNumber {
  digits: string;
  calls: number;
}

/** Counts the calls of longer numbers that end with the digits: perhaps other people's. */
export class LongerNumbers {
  private readonly counts = new Map<string, number>();

  /** @param forms of the digits: as they were typed, and others of the same number. */
  constructor(private readonly forms: readonly string[]) {}

  /** @param numbers of so many calls; 0 where the store has them without a call. */
  add(numbers: readonly string[], calls = 1): void {
    for (const number of numbers.map(withoutLeadingZeros))
      if (!this.forms.some((form) => form.endsWith(number)))
        this.counts.set(number, (this.counts.get(number) ?? 0) + calls);
  }

  /** `4833224455` and `554833224455` are one number, written as the longer one. */
  get joined(): LongerNumber[] {
    const joined: LongerNumber[] = [];
    for (const [digits, calls] of [...this.counts].sort(([a], [b]) => b.length - a.length)) {
      const known = joined.find((each) => each.digits.endsWith(digits));
      if (known) known.calls += calls;
      else joined.push({ digits, calls });
    }
    return joined;
  }
}

export const callCount = (calls: number): string => `${calls} ${calls === 1 ? 'call' : 'calls'}`;

/** @returns the digits of `--number`, as they are dialled: not the zero of `+44 (0)20`, nor an extension. */
export function readNumber(text: string): string {
  const { plus, digits } = parseNumberText(text.trim());
  if (digits.length < 3) throw new InvalidArgumentError('expected a number of at least 3 digits');
  const reading = plus ? read(digits) : undefined;
  return reading ? reading.callingCode + reading.national : digits;
}

/** @returns the text of a number. @throws InvalidArgumentError where it has too few digits. */
export function checkNumber(text: string): string {
  readNumber(text);
  return text;
}

/**
 * Asks first if the digits may be the end of another number. If it refuses, it says why and sets the exit code.
 * @param calls found.
 * @param isConfirmed whether `--yes` was given.
 */
export async function mayForget(
  calls: number,
  longerNumbers: readonly LongerNumber[],
  isConfirmed: boolean,
): Promise<boolean> {
  const refuse = (reason: string) => {
    process.stderr.write(`${reason}\n`);
    process.exitCode = 1;
    return false;
  };
  if (longerNumbers.length > 1) {
    for (const longer of longerNumbers)
      process.stderr.write(`${maskNumber(longer.digits)}\t${callCount(longer.calls)}\n`);
    return refuse(
      `${longerNumbers.length} numbers end with these digits; nothing was deleted. ` +
        'Give the number with its country and area code',
    );
  }
  const [longer] = longerNumbers;
  if (!longer || isConfirmed) return true;
  const found =
    longer.calls > 0
      ? `${callCount(calls)} found, ${longer.calls} of them with a longer number that ends with these digits`
      : `${callCount(calls)} found, and on a call sheet a longer number that ends with these digits`;
  if (!process.stdin.isTTY)
    return refuse(`${found}; nothing was deleted. Give the country and area code too, or add --yes`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${found}. Delete? [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
