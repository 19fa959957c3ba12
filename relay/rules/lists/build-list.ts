/** Builds a large list's file: reads the list from a file or an address, checks it, and swaps the file in whole. */
import { hash } from 'node:crypto';
import { createReadStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod/mini';
import { minuteMs } from '../../../shared/durations.ts';
import { NumberList } from '../../../shared/protocol/rules.ts';
import { eachLine } from './each-line.ts';
import { codeOfKey, NumberFile, writeNumberFile } from './number-file.ts';
import { ListReader } from './read-list.ts';

export const BuildJob = z.object({ list: NumberList, path: z.string() });
export type BuildJob = z.infer<typeof BuildJob>;

/** A register does not lose half of its numbers in a day. */
const minShareOfBefore = 0.5;
/** More lines without a number than this are another kind of file. */
const maxUnreadShare = 0.2;
const timeoutMs = 30 * minuteMs;

/** @throws Error that says why the list is not taken; the old file stays then. */
export async function buildList({ list, path }: BuildJob): Promise<{ count: number; unread: number }> {
  let codes = new Float64Array(1 << 16);
  let count = 0;
  const reader = new ListReader(list, (key) => {
    const code = codeOfKey(key);
    if (code === undefined) return;
    if (count === codes.length) {
      const larger = new Float64Array(codes.length * 2);
      larger.set(codes);
      codes = larger;
    }
    codes[count++] = code;
  });
  await eachLine(await open(list.from), 'latin1', (line) => reader.readLine(line));
  const { unread } = reader;
  if (count === 0) throw new Error('the list has no number');
  if (unread > (count + unread) * maxUnreadShare)
    throw new Error(`${unread} of ${count + unread} lines hold no number`);
  if (list.minNumbers !== undefined && count < list.minNumbers)
    throw new Error(`the list has ${count} numbers, expected at least ${list.minNumbers}`);
  const before = countIn(path);
  if (count < before * minShareOfBefore)
    throw new Error(`the list has ${count} numbers, and had ${before}; delete ${path} where that is right`);
  mkdirSync(dirname(path), { recursive: true });
  return {
    count: await writeNumberFile(path, codes.subarray(0, count), {
      source: sourceOf(list),
      builtAt: new Date(),
    }),
    unread,
  };
}

/** What makes another list of it; the rest of the rule does not. */
export const sourceOf = ({ from, column, country }: NumberList): string =>
  hash('sha256', JSON.stringify([from, column, country]), 'base64url').slice(0, 16);

/** A damaged file counts as none: else it would stop every build, and never be replaced. */
function countIn(path: string): number {
  try {
    const file = new NumberFile(path);
    file.close();
    return file.count;
  } catch {
    return 0;
  }
}

async function open(from: string): Promise<Readable> {
  if (!/^https?:\/\//i.test(from)) return createReadStream(from, { highWaterMark: 1 << 20 });
  const response = await fetch(from, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok || !response.body) throw new Error(`the list's address answered ${response.status}`);
  if (/\btext\/html\b/i.test(response.headers.get('content-type') ?? ''))
    throw new Error('the address answered with a web page');
  return Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
}
