import { formatTable } from '../table.ts';
import type { PageResult } from './measure.ts';
import type { Usage } from './trace.ts';

interface MeasuredRow {
  title: string;
  value: (result: PageResult) => number | undefined;
  /** The budget, if any: of dialmark's figure, or of its ratio to the bare page's. */
  max?: number;
  isRatio?: true;
}

const usage = (of: (result: PageResult) => Usage): MeasuredRow[] => [
  { title: '  its own script', value: (result) => of(result).own },
  { title: '  most of it in one task', value: (result) => of(result).longestOwn, max: 16 },
  { title: '  main thread in all', value: (result) => of(result).total },
  { title: '  longest task in all', value: (result) => of(result).longestTask },
];

const sections: [title: string, rows: MeasuredRow[]][] = [
  ['Script, KB gzipped', [{ title: '', value: ({ bytes }) => bytes / 1_024, max: 24 }]],
  [
    'Marking a page that is open',
    [
      { title: '  CPU until the first mark', value: ({ statically }) => statically.firstMark?.cpu, max: 50 },
      { title: '  clock until the first mark', value: ({ statically }) => statically.firstMark?.wall },
      ...usage(({ statically }) => statically.marking),
    ],
  ],
  ['Scrolling through 40 screens', usage(({ statically }) => statically.scrolling)],
  [
    '6,000 mutations by the page',
    [
      {
        title: "  the page's own time for them",
        value: ({ statically }) => statically.mutating.page,
        max: 1.1,
        isRatio: true,
      },
      ...usage(({ statically }) => statically.mutating),
    ],
  ],
  ['React draws every row 12 times', usage(({ react }) => react)],
];

/** Formats the results of one page size: a row per figure, a column per contender, the budget beside them. */
export function formatPageTable(numbers: number, results: readonly PageResult[]): string {
  const bare = results.find(({ contender }) => contender === 'none')!;
  const ours = results.find(({ contender }) => contender === 'dialmark')!;
  const lines: string[][] = [
    ['', ...results.map(({ contender }) => (contender === 'none' ? 'empty script' : contender)), 'budget'],
  ];
  for (const [section, rows] of sections) {
    if (rows[0]!.title !== '') lines.push([section]);
    for (const { title, value, max, isRatio } of rows) {
      const figures = results.map((result) => {
        const figure = value(result);
        if (figure === undefined) return '–';
        const against = isRatio ? bare : ours;
        const base = value(against);
        const ratio =
          result === bare || result === against || !base
            ? ''
            : ` (${(figure / base).toFixed(isRatio ? 2 : 1)}x)`;
        return (Number.isInteger(figure) ? String(figure) : figure.toFixed(1)) + ratio;
      });
      lines.push([title || section, ...figures, max === undefined ? '' : budgetCell(max)]);

      function budgetCell(limit: number): string {
        const figure = value(ours)! / (isRatio ? value(bare)! : 1);
        const kept = figure <= limit + (isRatio ? 0.005 : 0);
        return `<= ${limit}${isRatio ? 'x' : ''} ${kept ? 'kept' : 'MISSED'}`;
      }
    }
  }
  const note =
    "ms of the main thread's own time, medians of the rounds; " +
    "in brackets the ratio to dialmark's, of mutations to the bare page's";
  return `\n${numbers.toLocaleString('en')} numbers (${note})\n${formatTable(lines)}`;
}
