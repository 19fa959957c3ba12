/**
 * A large list as one immutable file: a head, then its keys as sorted numbers of eight bytes. A look-up reads one block of it, so that ten
 * million numbers cost a relay some hundred kilobytes of memory.
 */
import { hash } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { z } from 'zod/mini';

const headBytes = 512;
const blockNumbers = 512;
const blockBytes = blockNumbers * 8;
/** Of `Float64Array`, which sorts by itself and holds whole numbers up to 2^53. */
const numberBytes = 8;

const Head = z.object({
  format: z.literal('dialmark-numbers-1'),
  count: z.int(),
  /** ISO 8601 UTC. */
  builtAt: z.string(),
  /** Digest of what the list was built from (`NumberList`). */
  source: z.string(),
  /** SHA-256 of the numbers, base64url. */
  checksum: z.string(),
});
type Head = z.infer<typeof Head>;

/** The key of one number (`callee.ts`) as a whole number; undefined where it is too long for one. */
export function codeOfKey(key: string): number | undefined {
  const digits = key.slice(1);
  // A 1 in front keeps leading zeros apart, and the last bit says whether the country is known.
  if (key.startsWith('+')) return digits.length > 15 ? undefined : Number(digits) * 2;
  return digits.length > 14 ? undefined : Number(`1${digits}`) * 2 + 1;
}

type Origin = Pick<Head, 'source'> & { builtAt: Date };

/** @param codes in any order, also repeated; they are sorted in place. @returns how many numbers the file has. */
export function writeNumberFile(path: string, codes: Float64Array, { source, builtAt }: Origin): number {
  codes.sort();
  let count = 0;
  for (let at = 0; at < codes.length; at++)
    if (at === 0 || codes[at] !== codes[at - 1]) codes[count++] = codes[at]!;
  const body = Buffer.from(codes.buffer, codes.byteOffset, count * numberBytes);
  const head: Head = {
    format: 'dialmark-numbers-1',
    count,
    builtAt: builtAt.toISOString(),
    source,
    checksum: hash('sha256', body, 'base64url'),
  };
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeSync(file, Buffer.from(JSON.stringify(head).padEnd(headBytes)));
    for (let at = 0; at < body.length; ) at += writeSync(file, body, at);
    fsyncSync(file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  return count;
}

export class NumberFile {
  readonly count: number;
  readonly builtAt: Date;
  readonly source: string;
  /** The first number of each block. */
  private readonly firsts: Float64Array;
  private readonly block = Buffer.alloc(blockBytes);

  /** @throws Error where the file is not whole. */
  constructor(path: string) {
    this.file = openSync(path, 'r');
    try {
      const head = this.readHead(path);
      this.count = head.count;
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
    const bytes = readSync(this.file, this.block, 0, blockBytes, headBytes + (low - 1) * blockBytes);
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

  private readHead(path: string): Head {
    const bytes = Buffer.alloc(headBytes);
    readSync(this.file, bytes, 0, headBytes, 0);
    const head = Head.safeParse(JSON.parse(bytes.toString()));
    const size = head.success ? headBytes + head.data.count * numberBytes : -1;
    if (!head.success || fstatSync(this.file).size !== size) throw new Error(`${path}: not a whole list`);
    return head.data;
  }

  private readFirsts(): Float64Array {
    const blocks = Math.ceil(this.count / blockNumbers);
    const firsts = new Float64Array(blocks);
    const one = Buffer.alloc(numberBytes);
    for (let block = 0; block < blocks; block++) {
      readSync(this.file, one, 0, numberBytes, headBytes + block * blockBytes);
      firsts[block] = one.readDoubleLE();
    }
    return firsts;
  }
}
