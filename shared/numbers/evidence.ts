/**
 * Evidence as a table. Each thing for or against something is one named row with its points and two examples. The sum
 * of the rows that apply decides. These rows are a set of bits, so that a page of numbers costs no objects.
 */

/** Points, and two texts in which the row applies. */
type EvidenceRow = readonly [points: number, example: string, other: string];

/** A set of rows, one bit each. */
export type Evidence = number;

export class EvidenceTable<Name extends string> {
  /** The bit of each row. */
  readonly bit: Readonly<Record<Name, Evidence>>;
  readonly names: readonly Name[];
  readonly #rows: Readonly<Record<Name, EvidenceRow>>;
  readonly #points: number[];

  /** @param rows at most 31, because the bits of one small integer are cheap. */
  constructor(rows: Readonly<Record<Name, EvidenceRow>>) {
    this.#rows = rows;
    this.names = Object.keys(rows) as Name[];
    this.bit = Object.fromEntries(this.names.map((name, index) => [name, 1 << index])) as Record<
      Name,
      Evidence
    >;
    this.#points = this.names.map((name) => rows[name][0]);
  }

  /** The points of all rows in the set. */
  sum(evidence: Evidence): number {
    let sum = 0;
    for (let rest = evidence; rest !== 0; rest &= rest - 1)
      sum += this.#points[31 - Math.clz32(rest & -rest)]!;
    return sum;
  }

  /** The rows in the set, for `npm run bench -- numbers --explain TEXT`. */
  explain(evidence: Evidence): { name: Name; points: number }[] {
    return this.names.flatMap((name, index) =>
      evidence & (1 << index) ? [{ name, points: this.#points[index]! }] : [],
    );
  }

  examples(name: Name): readonly [string, string] {
    const [, example, other] = this.#rows[name];
    return [example, other];
  }
}
