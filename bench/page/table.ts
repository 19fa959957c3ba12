/** One size of page, as a person reads it: a row a figure, a column a contender, and what we promise beside it. */
import type { Result } from './run.ts';
import type { Usage } from './trace.ts';

interface Row {
  title: string;
  value: (result: Result) => number | undefined;
  /** Given where we promise something: dialmark's figure, or how many times the bare page's. */
  most?: number;
  times?: true;
}
/** Holds for pages of so many numbers and fewer. */
const promised = 5_000;

const usage = (of: (result: Result) => Usage): Row[] => [
  { title: '  its own script', value: (result) => of(result).own },
  { title: '  most of it in one task', value: (result) => of(result).longestOwn, most: 16 },
  { title: "  page's heap collected meanwhile", value: (result) => of(result).collecting },
  { title: "  the page's style, layout, paint", value: (result) => of(result).rendering },
  { title: '  main thread in all', value: (result) => of(result).total },
  { title: '  longest task in all', value: (result) => of(result).longestTask },
];

const sections: [title: string, rows: Row[]][] = [
  ['Script, KB gzipped', [{ title: '', value: ({ bytes }) => bytes / 1_024, most: 10 }]],
  [
    'Marking a page that is open',
    [
      { title: '  CPU until the first mark', value: ({ statically }) => statically.firstMark?.cpu, most: 50 },
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
        value: ({ mutating }) => mutating.page,
        most: 1.1,
        times: true,
      },
      ...usage(({ mutating }) => mutating),
    ],
  ],
  [
    'React draws every row 12 times',
    [
      ...usage(({ react }) => react.rendering),
      { title: '  wrong numbers left', value: ({ react }) => react.stale, most: 0 },
    ],
  ],
  [
    'Page errors',
    [{ title: '', value: ({ statically, react }) => statically.errors + react.errors, most: 0 }],
  ],
  [
    "Changes the page's DOM, 1 is yes",
    [{ title: '', value: ({ statically }) => Number(statically.domChanged), most: 0 }],
  ],
];

/** `results`: of one size, the bare page's among them. Times in milliseconds of the main thread's own time. */
export function tableOf(numbers: number, results: readonly Result[]): string {
  const bare = results.find(({ contender }) => contender === 'none')!;
  const ours = results.find(({ contender }) => contender === 'dialmark')!;
  const lines: string[][] = [
    ['', ...results.map(({ contender }) => (contender === 'none' ? 'empty script' : contender)), 'promised'],
  ];
  for (const [section, rows] of sections) {
    if (rows[0]!.title !== '') lines.push([section]);
    for (const { title, value, most, times } of rows) {
      const figures = results.map((result) => {
        const figure = value(result);
        if (figure === undefined) return '–';
        const against = times ? bare : ours;
        const base = value(against);
        const ratio =
          result === bare || result === against || !base
            ? ''
            : ` (${(figure / base).toFixed(times ? 2 : 1)}x)`;
        return (Number.isInteger(figure) ? String(figure) : figure.toFixed(1)) + ratio;
      });
      lines.push([title || section, ...figures, most === undefined ? '' : promise(most)]);

      function promise(limit: number): string {
        const figure = value(ours)! / (times ? value(bare)! : 1);
        const kept = figure <= limit + (times ? 0.005 : 0);
        return `<= ${limit}${times ? 'x' : ''} ${numbers > promised ? '' : kept ? 'kept' : 'MISSED'}`.trim();
      }
    }
  }
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const note =
    "ms of the main thread's own time, medians of the rounds; in brackets times dialmark's, of mutations times the bare page's";
  return [
    `\n${numbers.toLocaleString('en')} numbers (${note})`,
    ...lines.map((line) =>
      line
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    ),
  ].join('\n');
}
