/**
 * How Excel names the delimiter of a CSV, in a line before the head: `sep=;`.
 * @returns that line with its end, and the delimiter; undefined where the text begins otherwise.
 */
export function readNamedDelimiter(text: string): { line: string; delimiter: string } | undefined {
  const [line, delimiter] = /^\uFEFF?"?sep=(.)"?(?:\r\n?|\n|$)/i.exec(text) ?? [];
  return line === undefined ? undefined : { line, delimiter: delimiter! };
}
