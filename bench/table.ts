import { quantile } from './statistics.ts';

/** Pads columns to their widest cell, the first flush left and the others flush right. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A row for each series of milliseconds. @param budget what this share of each series may take. */
export function formatTimes(
  series: readonly (readonly [label: string, times: readonly number[]])[],
  budget: { ms: number; share: 0.5 | 0.9 },
): string {
  const name = `p${budget.share * 100} <= ${budget.ms}`;
  const rows = series.map(([label, times]) => {
    const figures = [0, 0.5, 0.9, 1].map((share) => quantile(times, share).toFixed(1));
    const verdict = quantile(times, budget.share) <= budget.ms ? 'kept' : 'MISSED';
    return [label, ...figures, `${name} ${verdict}`];
  });
  return formatTable([['', 'min', 'p50', 'p90', 'max', 'budget'], ...rows]);
}
