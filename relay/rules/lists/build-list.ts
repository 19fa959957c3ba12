/**
 * Builds the file of a large list. It reads the list from a file or an address, checks it, and replaces the old file as
 * a whole.
 */
import { hash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod/mini';
import { dayMs, minuteMs } from '../../../shared/durations.ts';
import { NumberList } from '../../../shared/protocol/rules.ts';
import { loginHeader } from '../../../shared/server/login-header.ts';
import { makeFolder } from '../../../shared/server/make-folder.ts';
import { eachLine } from './each-line.ts';
import { codeOfKey, distinctCodes, NumberFile, writeNumberFile } from './number-file.ts';
import { ListReader } from './read-list.ts';

export const BuildJob = z.object({ list: NumberList, path: z.string() });
export type BuildJob = z.infer<typeof BuildJob>;

/**
 * The smallest size of a new list, as a share of the old one. A register does not lose one number of twenty in a day.
 */
const defaultMinShare = 0.95;
/**
 * The same share for a list with another source. The operator may mean another list, but not one that is nearly empty.
 */
const minShareOfOther = 0.5;
/**
 * How long a file with an open last line must be unchanged. A file that somebody still copies is written more often.
 */
const settledMs = minuteMs;
/** The largest share of lines without a number. A file with a larger share is of another kind. */
const maxUnreadShare = 0.2;
const timeoutMs = 30 * minuteMs;

/** @throws Error that says why the list is not taken; the old file stays then. */
export async function buildList({ list, path }: BuildJob): Promise<{ count: number; unread: number }> {
  let codes = new Float64Array(1 << 16);
  let read = 0;
  const reader = new ListReader(list, (key) => {
    const code = codeOfKey(key);
    if (code === undefined) return;
    if (read === codes.length) {
      const larger = new Float64Array(codes.length * 2);
      larger.set(codes);
      codes = larger;
    }
    codes[read++] = code;
  });
  await eachLineOf(list.from, (line) => reader.readLine(line));
  reader.end();
  const { unread } = reader;
  if (read === 0) throw new Error('the list has no number');
  if (unread > (read + unread) * maxUnreadShare)
    throw new Error(`${unread} of ${read + unread} lines hold no number`);
  const numbers = distinctCodes(codes.subarray(0, read));
  const count = numbers.length;
  if (list.minNumbers !== undefined && count < list.minNumbers)
    throw new Error(`the list has ${count} numbers, expected at least ${list.minNumbers}`);
  const before = knownFile(path);
  const minShare = before?.source === sourceOf(list) ? (list.minShare ?? defaultMinShare) : minShareOfOther;
  if (before && count < before.count * minShare)
    throw new Error(
      `the list has ${count} numbers, and had ${before.count}; set minShare where that is right`,
    );
  makeFolder(dirname(path));
  await writeNumberFile(path, numbers, { source: sourceOf(list), builtAt: new Date() });
  return { count, unread };
}

/** A change of these properties makes another list. A change of the rule's other properties does not. */
export const sourceOf = ({ from, column, country }: NumberList): string =>
  hash('sha256', JSON.stringify([from, column, country]), 'base64url').slice(0, 16);

/** Whether a copy is older than its list allows. */
export const isOutdated = ({ maxAgeDays }: NumberList, { builtAt }: NumberFile, now: number): boolean =>
  maxAgeDays !== undefined && now - builtAt.getTime() > maxAgeDays * dayMs;

/** A damaged file is treated as missing: otherwise it would stop every build, and would never be replaced. */
function knownFile(path: string): NumberFile | undefined {
  try {
    const file = new NumberFile(path);
    file.close();
    return file;
  } catch {
    return undefined;
  }
}

/** @throws Error where a file is still being written. */
async function eachLineOf(from: string, read: (line: string) => void): Promise<void> {
  if (/^https?:\/\//i.test(from)) {
    await eachLine(await fetchList(from), 'latin1', read);
    return;
  }
  const before = statSync(from);
  const isEnded = await eachLine(createReadStream(from, { highWaterMark: 1 << 20 }), 'latin1', read);
  const { size, mtimeMs } = statSync(from);
  if (size !== before.size || mtimeMs !== before.mtimeMs)
    throw new Error('the list changed while it was read');
  const unchangedMs = Date.now() - mtimeMs;
  if (!isEnded && unchangedMs < -settledMs)
    throw new Error(
      'the last line has no end, and the file is from the future by this clock; touch the file',
    );
  if (!isEnded && unchangedMs < settledMs)
    throw new Error('the last line has no end, and somebody wrote it a moment ago');
}

async function fetchList(from: string): Promise<Readable> {
  if (!URL.canParse(from)) throw new Error('its address cannot be read');
  // `fetch` refuses an address with a login, and its message repeats the login.
  const url = new URL(from);
  url.username = url.password = '';
  const response = await fetch(url, {
    headers: loginHeader(from),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(({ cause }: Error) => {
    const { code } = (cause ?? {}) as NodeJS.ErrnoException;
    throw new Error(`its address cannot be read${code === undefined ? '' : ` (${code})`}`);
  });
  if (!response.ok || !response.body) throw new Error(`the list's address answered ${response.status}`);
  if (/\btext\/html\b/i.test(response.headers.get('content-type') ?? ''))
    throw new Error('the address answered with a web page');
  return Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
}
