/** What commands print: results on stdout, one row a line, and everything else on stderr. */

/** Characters in names and reasons that people wrote, which would break or turn the row, or draw over the terminal. */
const controls = /[\s\p{Cc}\p{Bidi_Control}]+/gu;

export function printRow(fields: readonly string[]): void {
  process.stdout.write(`${fields.map((field) => field.replace(controls, ' ')).join('\t')}\n`);
}

export function printNote(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Prints what is not known and what was expected, and sets the exit code. */
export function reportUnknown(id: string, expected: string): void {
  printNote(`${id}: ${expected}`);
  process.exitCode = 1;
}
