/** Reads the commands and settings of a document, so that a test does what the document says. */

/** Lines of the indented blocks that follow an empty line, without their indentation. */
export const blocksOf = (document: string): string[][] =>
  [...document.matchAll(/(?<=\n\n)(?: {4}.+\n)+/g)].map(([block]) =>
    block
      .trimEnd()
      .split('\n')
      .map((line) => line.trim()),
  );
