/**
 * A large list as one immutable file: a head, its keys as sorted numbers of eight bytes, then each block's first number
 * once more. A look-up reads one block, so that ten million numbers cost a relay some hundred kilobytes of memory.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod/mini';
import { hourMs } from '../../../shared/durations.ts';

const headBytes = 512;
const blockNumbers = 512;
/**
 * The bytes of a number in a `Float64Array`. Such an array sorts numbers by their value, and holds whole numbers up to
 * 2^53.
 */
const numberBytes = 8;
const blockBytes = blockNumbers * numberBytes;
/** How many bytes are read at once for the checksum. Between two reads, the relay answers calls. */
const sliceBytes = 1 << 18;

const Head = z.object({
  format: z.literal('dialmark-numbers-2'),
  count: z.int(),
  /** Whether some of the list's keys are prefixes. */
  hasPrefixes: z.boolean(),
  /** ISO 8601 UTC. */
  builtAt: z.string(),
  /** Digest of what the list was built from (`NumberList`). */
  source: z.string(),
  /** SHA-256 of what follows the head, base64url. */
  checksum: z.string(),
});
type Head = z.infer<typeof Head>;

/** A key (`callee.ts`) as a whole number; undefined if the key is too long. */
export function codeOfKey(key: string): number | undefined {
  const isPrefix = key.endsWith('*');
  const digits = key.slice(1, isPrefix ? -1 : undefined);
  const prefixBit = isPrefix ? 2 : 0;
  // A 1 in front keeps leading zeros apart, and the last bit says whether the country is known.
  if (key.startsWith('+')) return digits.length > 15 ? undefined : Number(digits) * 4 + prefixBit;
  return digits.length > 14 ? undefined : Number(`1${digits}`) * 4 + prefixBit + 1;
}

const isPrefixCode = (code: number): boolean => code % 4 > 1;

type Origin = Pick<Head, 'source'> & { builtAt: Date };

/** @param codes in any order; they are sorted in place. @returns each of them once, in order. */
export function distinctCodes(codes: Float64Array): Float64Array {
  codes.sort();
  let count = 0;
  for (let at = 0; at < codes.length; at++)
    if (at === 0 || codes[at] !== codes[at - 1]) codes[count++] = codes[at]!;
  return codes.subarray(0, count);
}

/**
 * @param codes each once, in order (`distinctCodes`).
 * @throws Error where the disk gives back other bytes than were written; the old file stays.
 */
export async function writeNumberFile(
  path: string,
  codes: Float64Array,
  { source, builtAt }: Origin,
): Promise<void> {
  const count = codes.length;
  const firsts = Float64Array.from({ length: blocksOf(count) }, (_, block) => codes[block * blockNumbers]!);
  const parts = [codes, firsts];
  const checksum = createHash('sha256');
  for (const part of parts) checksum.update(part);
  const head: Head = {
    format: 'dialmark-numbers-2',
    count,
    hasPrefixes: codes.some(isPrefixCode),
    builtAt: builtAt.toISOString(),
    source,
    checksum: checksum.digest('base64url'),
  };
  removeLeftovers(path);
  // Two relays on one machine may have the same folder, and build the list at the same time.
  const temporary = `${path}.${randomUUID()}.new`;
  try {
    const file = openSync(temporary, 'w', 0o600);
    try {
      for (const part of [Buffer.from(JSON.stringify(head).padEnd(headBytes)), ...parts])
        for (let at = 0; at < part.byteLength; ) at += writeSync(file, part, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    await checkNumberFile(temporary);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  renameSync(temporary, path);
}

/** Removes what builds have left that were killed. A file takes minutes at most. */
function removeLeftovers(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(path)}.`) || !name.endsWith('.new')) continue;
    const file = join(folder, name);
    const { mtimeMs = Date.now() } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > hourMs) rmSync(file, { force: true });
  }
}

const blocksOf = (count: number): number => Math.ceil(count / blockNumbers);

/** @throws Error if the file is not complete, or its checksum is wrong. */
export async function checkNumberFile(path: string): Promise<void> {
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(headBytes);
    await file.read(bytes, 0, headBytes, 0);
    const head = readHead(bytes, (await file.stat()).size, path);
    const checksum = createHash('sha256');
    const slices = file.createReadStream({ start: headBytes, highWaterMark: sliceBytes, autoClose: false });
    for await (const slice of slices) checksum.update(slice as Buffer);
    if (checksum.digest('base64url') !== head.checksum) throw new Error(`${path}: wrong checksum`);
  } finally {
    await file.close();
  }
}

/** @throws Error if the head is not valid, or the file's size does not fit the count in the head. */
function readHead(bytes: Buffer, size: number, path: string): Head {
  const head = Head.safeParse(JSON.parse(bytes.toString()));
  const numbers = head.success ? head.data.count + blocksOf(head.data.count) : -1;
  if (!head.success || size !== headBytes + numbers * numberBytes)
    throw new Error(`${path}: not a whole list`);
  return head.data;
}

export class NumberFile {
  readonly count: number;
  /** Whether the list has prefixes, so that a search for them can succeed. */
  readonly hasPrefixes: boolean;
  readonly builtAt: Date;
  readonly source: string;
  /** The first number of each block. */
  private readonly firsts: Float64Array;
  private readonly block = Buffer.alloc(blockBytes);

  /**
   * Does not compare the checksum, because that takes too long here (`checkNumberFile`).
   * @throws Error where the file is not whole.
   */
  constructor(path: string) {
    this.file = openSync(path, 'r');
    try {
      const head = this.readHeadOf(path);
      this.count = head.count;
      this.hasPrefixes = head.hasPrefixes;
      this.builtAt = new Date(head.builtAt);
      this.source = head.source;
      this.firsts = this.readFirsts();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  private readonly file: number;

  has(code: number): boolean {
    let [low, high] = [0, this.firsts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.firsts[middle]! <= code) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return false;
    const before = (low - 1) * blockNumbers;
    const wanted = Math.min(blockNumbers, this.count - before) * numberBytes;
    const bytes = readSync(this.file, this.block, 0, wanted, headBytes + before * numberBytes);
    let [first, last] = [0, bytes / numberBytes - 1];
    while (first <= last) {
      const middle = (first + last) >>> 1;
      const found = this.block.readDoubleLE(middle * numberBytes);
      if (found === code) return true;
      if (found < code) first = middle + 1;
      else last = middle - 1;
    }
    return false;
  }

  close(): void {
    closeSync(this.file);
  }

  private readHeadOf(path: string): Head {
    const bytes = Buffer.alloc(headBytes);
    readSync(this.file, bytes, 0, headBytes, 0);
    return readHead(bytes, fstatSync(this.file).size, path);
  }

  private readFirsts(): Float64Array {
    const firsts = new Float64Array(blocksOf(this.count));
    readSync(this.file, firsts, 0, firsts.byteLength, headBytes + this.count * numberBytes);
    return firsts;
  }
}
