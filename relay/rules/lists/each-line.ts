/**
 * Reads the lines of a list in any encoding. It is faster than `readline`. It limits a line's length, so that a line
 * without an end does not fill the memory.
 */
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

const maxLine = 1 << 16;

/** @param encoding used if the text has no mark of UTF-16. @returns whether the last line has its end. */
export async function eachLine(
  input: Readable,
  encoding: 'latin1' | 'utf8',
  read: (line: string) => void,
): Promise<boolean> {
  let decode: ((bytes: Buffer) => string) | undefined;
  let lineEnd: string | undefined;
  let [begin, rest] = [Buffer.alloc(0), ''];
  for await (const chunk of input) {
    let bytes = chunk as Buffer;
    if (!decode) {
      begin = bytes = Buffer.concat([begin, bytes]);
      if (begin.length < 2) continue;
      decode = decoderOf(begin, encoding);
    }
    const text = rest + decode(bytes);
    lineEnd ??= isOfOldMac(text) ? '\r' : '\n';
    let start = 0;
    for (let end = text.indexOf(lineEnd); end >= 0; end = text.indexOf(lineEnd, start)) {
      read(text.slice(start, end));
      start = end + 1;
    }
    rest = text.slice(start);
    if (rest.length > maxLine) throw new Error(`a line has more than ${maxLine} characters`);
  }
  if (rest !== '') read(rest);
  return rest === '';
}

/** "CSV (Macintosh)" of a spreadsheet ends its lines with a carriage return alone. */
const isOfOldMac = (text: string): boolean => !text.includes('\n') && /\r./.test(text);

/** Spreadsheets save "Unicode text" as UTF-16, with a mark at the beginning. */
function decoderOf([first, second]: Buffer, encoding: 'latin1' | 'utf8'): (bytes: Buffer) => string {
  const mark = first! * 256 + second!;
  if (mark === 0xfffe || mark === 0xfeff) {
    const utf16 = new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be');
    return (bytes) => utf16.decode(bytes, { stream: true });
  }
  const decoder = new StringDecoder(encoding);
  return (bytes) => decoder.write(bytes);
}
