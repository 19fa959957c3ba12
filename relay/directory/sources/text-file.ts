/** Text of a file of any size, in the encodings that address books are exported in. */
import { open, stat } from 'node:fs/promises';
import { unreadableFile } from '../../../shared/server/environment.ts';
import { SourceError } from './source.ts';

/**
 * UTF-8 and UTF-16 with or without a mark at the start, else Latin-1 as Windows writes it.
 * @throws SourceError if the file cannot be read, or changed while it was read.
 */
export async function* readText(file: string): AsyncGenerator<string, void> {
  try {
    const before = await stat(file);
    // It is read twice. A pipe would be empty the second time, and a device may never end.
    if (!before.isFile() && !before.isDirectory())
      throw new SourceError(
        `${file}: expected a file, got a pipe or a device; save its text in a file first`,
      );
    const decoder = new TextDecoder(await encodingOf(file));
    for await (const chunk of chunksOf(file)) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
    const { size, mtimeMs } = await stat(file);
    if (size !== before.size || mtimeMs !== before.mtimeMs)
      throw new SourceError(`${file} changed while it was read`);
  } catch (error) {
    if (error instanceof SourceError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw code ? new SourceError(unreadableFile(file, code)) : new Error(message);
  }
}

const chunkBytes = 65_536;

/**
 * The bytes of a file. All chunks share one buffer, so a long file leaves nothing for the garbage collector. The next
 * chunk overwrites the last one.
 */
async function* chunksOf(file: string): AsyncGenerator<Uint8Array, void> {
  const handle = await open(file);
  try {
    const buffer = new Uint8Array(chunkBytes);
    for (;;) {
      const { bytesRead } = await handle.read(buffer);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

async function encodingOf(file: string): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  try {
    for await (const bytes of chunksOf(file)) {
      if (isFirst && bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
      if (isFirst && bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
      isFirst = false;
      decoder.decode(bytes, { stream: true });
    }
    decoder.decode();
    return 'utf-8';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'windows-1252';
    throw error;
  }
}

/** A line is cut at this length: a photo in it is never kept in memory. */
const maxLineLength = 16_384;

/** The most lines and characters of one batch, since a text may have megabytes. */
const maxLines = 250;
const maxCharacters = 65_536;

const lineEnd = /\r\n?|\n/g;

/**
 * Lines without their line ends, each cut at `maxLineLength`. They come in batches that take a few milliseconds to
 * process.
 */
export async function* splitLines(
  chunks: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string[], void> {
  let lines: string[] = [];
  let characters = 0;
  let line = '';
  let lastSign = '';
  for await (const chunk of chunks) {
    // A line end of two characters may be split between two chunks.
    let start = lastSign === '\r' && chunk.startsWith('\n') ? 1 : 0;
    lastSign = chunk.at(-1) ?? lastSign;
    for (;;) {
      lineEnd.lastIndex = start;
      const found = lineEnd.exec(chunk);
      const part = chunk.slice(start, found?.index);
      if (line.length < maxLineLength) line += part.slice(0, maxLineLength - line.length);
      if (!found) break;
      lines.push(line);
      characters += line.length;
      line = '';
      start = found.index + found[0].length;
      if (lines.length < maxLines && characters < maxCharacters) continue;
      yield lines;
      lines = [];
      characters = 0;
    }
  }
  if (line !== '') lines.push(line);
  if (lines.length > 0) yield lines;
}
